"""How libraries spell that a connection is not checked, or speaks a broken protocol."""

from __future__ import annotations

from leeboard.model.pattern import lazy

FALSE_OPTIONS = frozenset(
    "verify rejectunauthorized reject_unauthorized strictssl strict_ssl check_hostname verify_ssl ssl_verify "
    "verify_certs validate_certs verifypeer verify_peer verify_peer_name verifyhostname validate_cert tls_verify "
    "verify_tls sslverify checkcertificate validatecertificates validateservercertificate ssl_verify_peer "
    "check_certificate".split()
)
TRUE_OPTIONS = frozenset(
    "insecureskipverify allow_self_signed trustservercertificate danger_accept_invalid_certs skiptlsverify "
    "insecure_skip_verify danger_accept_invalid_hostnames allowinsecure ignoresslerrors ignore_ssl_errors "
    "trustallcertificates".split()
)
VERSIONS = frozenset("secureprotocol minversion ssl_version min_version maxversion ssl_minimum_version".split())
LIBRARIES = lazy(
    r"(?i)\b(?:requests?|session|httpx|aiohttp|client|urllib3?|axios|https?|tls|ssl|socket|api|get|post|put|patch|delete|"
    r"head|options|fetch|curl|guzzle|faraday|excon|rest|http_client|agent|ldap|connect|elasticsearch|pool\w{0,12}|"
    r"stream_context\w{0,10})\b"
)
OLD_WORD = lazy(
    r"\b(?:ssl\.|SSL\.)?(?:PROTOCOL_)(?:SSLv2|SSLv3|TLSv1(?:_1)?)\b(?!_2)"
    r"|\b(?:SSLv2|SSLv3|TLSv1|TLSv1_1)_(?:client_|server_)?(?:method|METHOD)\b"
    r"|\btls\.VersionSSL30\b|\btls\.VersionTLS1[01]\b|\bTLSVersion\.(?:SSLv3|TLSv1|TLSv1_1)\b"
    r"|\bSslProtocols\.(?:Ssl2|Ssl3|Tls|Tls11)\b(?!\d)|\bSecurityProtocolType\.(?:Ssl3|Tls|Tls11)\b(?!\d)"
    r"|\bTLS1(?:_1)?_VERSION\b|\bSSL3_VERSION\b|\bCURL_SSLVERSION_(?:SSLv[23]|TLSv1(?:_[01])?)\b"
    r"|\btls\.TLS_(?:RSA|ECDHE_\w{3,5})_WITH_(?:RC4_128|3DES_EDE_CBC)_SHA\b"
)
OLD_TEXT = lazy(
    r"\A(?:SSL|SSLv2|SSLv3|TLSv1|TLSv1\.0|TLSv1\.1|TLSv1_1?|SSLv[23]_\w{0,8}method|TLSv1(?:_1)?_\w{0,8}method|TLS1_?[01]?)\Z"
)
OFF_WORD = lazy(
    r"\bssl\._create_unverified_context\b|\bssl\.CERT_NONE\b|\b(?:OpenSSL::SSL::)VERIFY_NONE\b|\bSSL\.VERIFY_NONE\b"
    r"|\bSSL_VERIFY_NONE\b|\bNoopHostnameVerifier\b|\bALLOW_ALL_HOSTNAME_VERIFIER\b|\bAllowAllHostnameVerifier\b"
    r"|\bTrustAllStrategy\b|\bTrustSelfSignedStrategy\b|\bssh\.InsecureIgnoreHostKey\b"
    r"|\bDangerousAcceptAnyServerCertificateValidator\b|\bInsecureTrustManagerFactory\b"
    r"|\b(?:paramiko\.|client\.)?(?:AutoAddPolicy|WarningPolicy)\b(?=\s*\()|\bSslVerifyMode::NONE\b"
    r"|\bMBEDTLS_SSL_VERIFY_NONE\b|\bOPT_X_TLS_(?:NEVER|ALLOW)\b|\bQSslSocket::VerifyNone\b|\bssl::verify_none\b|\bCERT_NONE\b"
)
EMPTY_CHECK = lazy(
    r"checkServerTrusted\s*\([^)]{0,200}\)\s*(?:throws\s+[\w.,\s]{1,100})?\{\s*(?:(?://[^\n]{0,100}|return;?)\s*)?\}"
    r"|override\s+fun\s+checkServerTrusted\s*\([^)]{0,200}\)\s*(?:=\s*Unit|\{\s*\})"
    r"|boolean\s+verify\s*\(\s*(?:final\s+)?String\s+\w+\s*,\s*(?:final\s+)?SSLSession\s+\w+\s*\)\s*\{\s*return\s+true\s*;\s*\}"
)
CALLBACK = lazy(
    r"(?:[hH]ostnameVerifier|ServerCertificateValidationCallback|ServerCertificateCustomValidationCallback|"
    r"checkServerIdentity)\s*[(=:]\s*\(?[^;{}\n]{0,120}?(?:->|=>)\s*(?:\{\s*(?:return\s+)?)?(?:true|undefined|null|\{\s*\})"
    r"|[hH]ostnameVerifier\s*\{[^{}\n]{0,60}->\s*true\s*\}|delegate\s*(?:\([^)]{0,160}\))?\s*\{\s*return\s+true;\s*\}"
)
OFF_HINTS = (
    *("create_unverified", "cert_none", "verify_none", "hostnameverifier", "hostname_verifier", "trustallstrategy"),
    *("trustselfsigned", "insecureignorehostkey", "acceptanyserver", "insecuretrustmanager", "autoaddpolicy"),
    *("warningpolicy", "mode::none", "tls_never", "tls_allow", "verifynone"),
)
OLD_HINTS = (
    *("sslv2", "sslv3", "tlsv1", "versionssl30", "versiontls1", "sslprotocols.", "protocoltype.", "tls1_", "ssl3_v"),
    *("tls_rsa_", "tls_ecdhe_"),
)
CHECK_HINTS = (
    *("checkservertrusted", "sslsession", "hostnameverifier", "validationcallback", "checkserveridentity", "delegate"),
)
