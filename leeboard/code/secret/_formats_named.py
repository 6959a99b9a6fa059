"""Formats without a mark of their own: a value of this shape under a name that holds the provider's.

Shapes are written as in `_formats_cloud`, several for one provider.
"""

from __future__ import annotations

NAMED = r"""
ably <a6>\.<a6>:<w20-50>
activecampaign <x72>
adafruit <w32>
adobe <x32>
airtable <a17>
ai21 <a32>
aiven <b200-400>
alchemy <w32>
algolia <a32>
alibaba <a30>
aliyun <a30>
alphavantage <u16>
amplitude <x32>
apigee <a32>
appveyor <a20>
asana <d16> <a32>
assemblyai <x32>
atlassian <a24>
auth0 <w60-70>
aws <b40>
azure <b86>== <b43>= <uuid> <x32>
bing <x32>
bitbucket <a32> <w64>
bitly <x40>
bitmex <w48>
bitrise <w86>
bittrex <a32>
box <a32>
braintree <x32>
browserstack <a20>
bugsnag <x32>
buildkite <x40>
censys <a32>
chargebee <w30-50>
circleci <x40>
clarifai <x32>
clojars <a60>
cloudflare <w40> <x37>
cloudinary <w27>
cloudsmith <x40>
codacy <x20-40>
codeclimate <x64>
codecov <uuid> <a32>
cohere <a40>
coinapi <uuid>
coinbase <w64> <a16>
coinmarketcap <uuid>
confluence <a24>
confluent <a64> <a16>
consul <uuid>
contribsys <x8>:<x8>
contentful <w43> <w64>
coveralls <a32>
crowdin <x80>
datadog <a40> <x32>
deepai <uuid>
deepgram <x40>
deepl <uuid>(?::fx)?
digitalocean <x64>
discord <w32> <x64>
docusign <uuid>
drone <a32>
dropbox <a15> <a11>AAAAAAAAAA<w43> <w64-140>
dynatrace <w21>
elastic <b50-70>={0,2}
elevenlabs <x32>
etherscan <u34>
etsy <a24>
eventbrite <u20>
facebook <x32>
fastly <w32>
finicity <x32> <a20>
finnhub <a20>
flickr <a32>
foursquare <u48>
freshbooks <x64>
freshdesk <a20>
gemini <w35-45>
giphy <a32>
gitea <x40>
gitee <x32>
gitlab <w20>
github <x40>
gitter <w40>
gnews <x32>
grafana <b60-100>={0,2}
harvest <w97>
heroku <uuid>
honeycomb <x32> <a22>
hubspot <uuid>
hunter <x40>
ibm <w44>
infura <x32>
intercom <w60>
ipgeolocation <x32>
ipinfo <x14>
ipstack <x32>
jenkins <x32-34>
jfrog <a73> <a64> <w64>
artifactory <a64-73>
jira <a24>
klaviyo <w34>
kraken <b80-90>={0,2}
kucoin <x24> <uuid>
lastfm <x32>
launchdarkly <w40>
linear <x32>
linkedin <a14> <a16> <a16>
linode <x64>
lob <w40>
loggly <uuid>
looker <a20> <a24>
mailchimp <x32>
mailgun <x32>-<x8>-<x8>
mailjet <x32>
mandrill <w22>
mapquest <a32>
mattermost <a26>
maxmind <w40> <a16>
meraki <x40>
messagebird <a25> <uuid>
mistral <a32>
mixpanel <x32>
monday <w100-400>
nasa <a40>
netlify <w40-46>
newrelic <x40> <a64> <uuid>
new_relic <x40> <a64> <uuid>
newsapi <x32>
nexmo <a16>
nytimes <w32> <u32>
okta 00<w40> <w42>
onesignal <w48> <uuid>
openai <a40-60>
opencage <x32>
openweather <x32>
opsgenie <uuid>
optimizely <w54>
oracle <b40-90>={0,2}
pagerduty <w20> <w32>
paypal <w64-90>
pinecone <uuid>
pipedrive <x40>
plaid <a30> <a24>
planetscale <w32-64>
plivo <w40>
postmark <uuid>
privateai <a32>
pusher <x20>
pushover <a30>
quandl <w20>
rapidapi <w50>
recurly <x32>
rollbar <x32>
saucelabs <uuid>
scaleway <uuid>
sendbird <x40> <uuid>
sendinblue <w60-110>
sentry <x64> <x32>
shodan <a32>
signalwire <w50>
slack <x32> <a24>
smartsheet <a37> <a26>
snyk <uuid>
sonar <w40>
soundcloud <a32>
sparkpost <x40>
splunk <uuid>
spotify <x32>
square <w43>
squarespace <uuid>
stackhawk <w20-60>
steam <u32>
strava <x40>
stytch <w47>
sumologic <a64> su<a12>
sumo <a64> su<a12>
telegram <d8-10>:<w35>
tencent <a32>
thunderstore tss_<w30-60>
tiingo <x40>
tmdb <x32>
todoist <x40>
toggl <x32>
travis <a22>
trello <x32> <x64> <a32>
tumblr <a50>
twilio <x32>
twitch <a30>
twitter <a50> <a35-45> <d15-20>-<a20-40> <a25>
unsplash <w43>
vercel <a24>
vimeo <a32>
virustotal <x64>
vonage <a16>
vultr <u36>
wakatime <uuid>
wandb <x40>
weatherstack <x32>
webex <w64-110>
yelp <w128>
youtube <w39>
zendesk <a40>
zoom <a30-40>
"""
