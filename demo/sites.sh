#!/bin/sh
# Three hospitals on one machine: each keeps its rows, key and ledger; three small files leave it.
set -e
tacit="$1 --quiet"
here=$2
schema=demo/sites.toml
rm -rf "$here/keys" "$here/messages" "$here"/*.db*
mkdir -p "$here/keys" "$here/messages"

for house in north south west; do
  $tacit key new "$here/keys/$house.key"
  $tacit ledger init "$here/$house.db" > "$here/ledger.txt"
  $tacit ledger grant "$here/$house.db" --dataset blood --schema $schema --epsilon 3 >> "$here/ledger.txt"
done

# answered QUESTION ROWS: all hospitals answer at once from their own rows, and the messages are joined.
answered() {
  answering=
  for house in north south west; do
    $tacit site "$here/$house$2.csv" --question "$here/$1.json" --schema $schema \
      --key "$here/keys/$house.key" --ledger "$here/$house.db" --dataset blood \
      --out "$here/messages/$1-$house.json" &
    answering="$answering $!"
  done
  for one in $answering; do wait "$one"; done
  $tacit join "$here/messages/$1-*.json" --question "$here/$1.json" --out "$here/joined-$1.json"
}

sites="$here/keys/*.pub"
$tacit ask scorecard --schema $schema --labels died --features=-days --sites "$sites" \
  --epsilon 1 --out "$here/card.json"
answered card ""
$tacit ask survival --schema $schema --time days --event died --sites "$sites" \
  --epsilon 1 --out "$here/survival.json"
answered survival ""
$tacit ask measure --model "$here/joined-card.json" --sites "$sites" --round 2 --epsilon 1 \
  --out "$here/measure.json"
answered measure -test
$tacit audit site
echo "All that left the hospitals is in $here/messages: each message is a text file, look at one"
