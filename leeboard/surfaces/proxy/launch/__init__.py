"""How each client is told to speak to the proxy: for one run of it, by its environment and its arguments alone.

Credentials go where the client itself would have sent them. Where that can not be known the client is started as it is,
and whoever started it is told that it does not pass the proxy.
"""
