#!/bin/sh
# Three hospitals over Flower, on loopback: a SuperLink, three SuperNodes, and the app in demo/flower.
set -e
bin=$(cd "$1" && pwd)
here=$2
tacit="$bin/tacit --quiet"
export FLWR_TELEMETRY_ENABLED=0 FLWR_DISABLE_UPDATE_CHECK=1 PATH="$bin:$PATH"
rm -rf "$here/keys" "$here/messages" "$here/home" "$here"/*.db*
mkdir -p "$here/keys" "$here/home"
here=$(cd "$here" && pwd)
export FLWR_HOME="$here/home"

free() { "$bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
link=$(free)
printf '[superlink]\ndefault = "here"\n\n[superlink.here]\naddress = "127.0.0.1:%s"\ninsecure = true\n' "$link" > "$FLWR_HOME/config.toml"
started=
trap 'kill $started 2> /dev/null || true' EXIT

flower-superlink --insecure --port "$link" --disable-runtime-dependency-installation > "$here/link.log" 2>&1 &
started="$!"
for house in north south west; do
  $tacit key new "$here/keys/$house.key"
  $tacit ledger init "$here/$house.db" > "$here/ledger.txt"
  $tacit ledger grant "$here/$house.db" --dataset blood --schema demo/sites.toml --epsilon 1 >> "$here/ledger.txt"
  flower-supernode --insecure --superlink "127.0.0.1:$link" --port "$(free)" --node-config \
    "rows=\"$here/$house.csv\" schema=\"$PWD/demo/sites.toml\" key=\"$here/keys/$house.key\" ledger=\"$here/$house.db\" dataset=\"blood\"" \
    > "$here/$house.log" 2>&1 &
  started="$started $!"
done
$tacit ask scorecard --schema demo/sites.toml --labels died --features=-days --sites "$here/keys/*.pub" \
  --epsilon 1 --out "$here/card.json"
flwr run demo/flower here --stream --run-config \
  "question=\"$here/card.json\" messages=\"$here/messages\" out=\"$here/model.json\""
test -s "$here/model.json"
echo "The model is in $here/model.json; what each hospital sent is in $here/messages"
