#!/bin/sh
# What the tests need of the machine: Java 17 or newer for Spark, a Chromium for the pages, and a
# PostgreSQL that `tacit sql` writes for; Debian maintains one, and the wheels that bring one do not last.
# Pango lays out the text of reports on paper.
# What is missing is installed if we may; otherwise this says what to install, and fails.
set -u

java_is_there() {
  java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
  version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
  [ "${version:-0}" -ge 17 ]
}

browser_is_there() {
  command -v chromium || command -v chromium-browser || command -v google-chrome
}

postgres_is_there() {
  command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null
}

pango_is_there() {
  ldconfig -p 2>/dev/null | grep -q libpangoft2
}

missing=
java_is_there || missing="openjdk-17-jre-headless"
browser_is_there >/dev/null || missing="$missing chromium"
postgres_is_there >/dev/null || missing="$missing postgresql"
pango_is_there || missing="$missing libpango-1.0-0 libpangoft2-1.0-0"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # shellcheck disable=SC2086
  apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing && exit 0
fi
echo "The tests need: $missing (on Debian: apt-get install $missing). Install and try again." >&2
exit 1
