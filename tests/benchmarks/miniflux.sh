#!/bin/sh
# miniflux.sh FOLDER: put Debian trixie's miniflux there, whichever Debian runs here.
#
# It comes from the mirror that this machine's own apt names, by lists and sources of its own;
# apt checks it with Debian's keyring. What the machine installs from stays as it is.

set -eu

folder=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

command -v apt-get >/dev/null || { echo "miniflux.sh: not a Debian" >&2; exit 1; }

mirror() {
	apt-get indextargets --format '$(REPO_URI)' \
		'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 'Component: main' | head -n 1
}

uri=$(mirror)
if [ -z "$uri" ] && [ "$(id -u)" = 0 ]; then # apt has never looked what its sources offer
	apt-get update -qq
	uri=$(mirror)
fi
[ -n "$uri" ] || { echo "miniflux.sh: no Debian mirror among apt's sources" >&2; exit 1; }

# given as options, because the machine's configuration would win over a file of ours
trixie() {
	apt-get -qq \
		-o Dir::Etc::SourceList="$place/sources.list" -o Dir::Etc::SourceParts="$place/none" \
		-o Dir::Etc::Preferences="$place/none" -o Dir::Etc::PreferencesParts="$place/none" \
		-o Dir::State="$place" -o Dir::State::Lists="$place/lists" \
		-o Dir::State::Status="$place/status" -o Dir::Cache="$place" \
		-o Acquire::Languages=none -o APT::Sandbox::User=root \
		-o Acquire::AllowInsecureRepositories=false -o APT::Get::AllowUnauthenticated=false \
		"$@"
}

mkdir -p "$place/lists/partial" "$place/archives/partial" "$place/none" "$folder"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keyring] $uri trixie main" >"$place/sources.list"
: >"$place/status"
trixie update
(cd "$place" && trixie download miniflux)
dpkg -x "$place"/miniflux_*.deb "$place/unpacked"
install -m 755 "$place/unpacked/usr/bin/miniflux" "$folder/miniflux"
