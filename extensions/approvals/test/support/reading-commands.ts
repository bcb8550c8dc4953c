/**
 * Commands with which coding agents read a project, one per line, as they issue them. None of them changes a file, needs
 * the network or shows a private file.
 */
export const READING_COMMANDS: readonly string[] = String.raw`
pwd
ls
ls -la
ls -la src
ls *.md
ls src/*.ts
ls -1 src | head -20
ls -lat | head
ls -R src
ls -d */
ls **/*.ts
ls -lh --time-style=long-iso
ls src && cat src/a.ts
cd src && ls -la
cd src && cat *.ts
pwd && ls -la
tree -L 2
tree -L 2 -I node_modules
tree src --dirsfirst
find . -name '*.ts'
find . -name "*.ts" -not -path "*/node_modules/*" | head -50
find . -type f -name '*.json' | sort
find . -maxdepth 2 -type d
find src -type f | wc -l
find src -type f -exec wc -l {} +
find . -name '*.md' -exec grep -l foo {} \;
find . -type f -name '*.ts' | xargs grep -n import
find . -name '*.ts' -print0 | xargs -0 wc -l
find . -name "*.ts" | xargs wc -l | sort -n | tail -5
find src \( -name '*.ts' -o -name '*.js' \) -print
find . -regex '.*\.tsx?$'
find . -newermt '2024-01-01' -type f
find . -size +1M
find . -empty -type f
find . -type f -printf '%s %p\n' | sort -nr | head
find . -type f -mtime -1
find . -name package.json -not -path '*/node_modules/*' -exec dirname {} \;
cat README.md
cat README.md package.json
cat -n src/a.ts
cat src/a.ts | head -50
cat src/*.ts
cat package.json | jq .
cat package.json | jq -r '.scripts | keys[]'
cat package.json | python3 -m json.tool
cat package.json | grep version
cat /etc/os-release
cat < README.md
cat <<'EOF' | wc -l
head -n 40 src/a.ts
head -5 *.md
head -c 200 README.md
tail -n 20 README.md
tail -n +10 src/a.ts
tail -5 src/*.ts
sed -n '1,40p' src/a.ts
sed -n '10,20p;30q' src/a.ts
sed -n '/import/,/export/p' src/a.ts
sed -n '/a/,/b/p' README.md
sed -n '$p' README.md
sed -n '$=' README.md
sed 's/foo/bar/g' README.md
sed -e 's/^ *//' -e '/^$/d' README.md
sed -E 's/(a+)/[\1]/' README.md | head
awk '{print $1}' README.md
awk 'NR>=10 && NR<=20' src/a.ts
awk -F: '{print $2}' README.md
awk 'END {print NR}' README.md
awk '/import/{print FILENAME": "$0}' src/*.ts
awk '{sum+=$1} END {print sum}' README.md
awk 'length > 100' src/a.ts
awk -F'"' '/version/ {print $4; exit}' package.json
grep -rn foo src
grep -n "import" src/a.ts
grep -rn 'foo' --include='*.ts' .
grep -rl TODO . | head
grep -rln "foo" src --include="*.ts"
grep -c text README.md
grep -E 'a|b' README.md
grep -A3 -B3 text README.md
grep -v '^#' README.md
grep -rn "text" src | cut -d: -f1 | sort -u
grep -rn "text" src | awk -F: '{print $1}' | sort | uniq -c | sort -rn
grep -rnE "(TODO|FIXME)" src | wc -l
grep -n text *.md
grep -o '"name": *"[^"]*"' package.json
grep -P '\d+' README.md
grep -rn "text" . --exclude-dir=node_modules --exclude-dir=.git
grep -q text README.md && echo found || echo missing
grep -rnw foo src
grep -rn -m 3 text src
grep --color=never -rn text src
grep -R text src
rg foo
rg -n foo src
rg --files
rg --files | head -50
rg --files -g '*.ts'
rg -l foo
rg -c foo src
rg -t ts foo
rg -n 'foo|bar' -g '*.ts' src
rg -A 3 -B 3 foo src
rg --json foo src | head -5
rg -i --no-heading foo
rg -uu foo src
rg -o 'f\w+' src
rg foo --stats
rg --type-list | head
rg -U 'a\nb' src
rg --count-matches text
rg -e foo -e bar
ag foo src
jq . package.json
jq .scripts package.json
jq -r '.name' package.json
jq -r '.dependencies | keys[]' package.json
jq 'keys' package.json
jq '.version' package.json
jq -c '.[]?' package.json
wc -l src/a.ts
wc -l src/*.ts
wc -l src/*.ts | sort -n
wc -c < README.md
wc README.md
sort README.md | uniq -c
sort -u README.md
sort -t: -k2 -n README.md
cut -d, -f1,3 README.md
cut -c1-80 README.md
tr -d '\r' < README.md
tr 'a-z' 'A-Z' < README.md
diff README.md package.json
diff -u src/a.ts src/deep/b.ts
diff -r src src/deep
diff <(sort README.md) <(sort package.json)
cmp README.md package.json
comm -12 README.md package.json
file README.md
file src/*
xxd README.md | head
xxd -l 16 README.md
od -c README.md | head -5
hexdump -C README.md | head
strings README.md
md5sum README.md
sha256sum src/*.ts
sha1sum package.json
base64 README.md
stat README.md
stat -c '%s %n' *
du -sh .
du -sh *
du -h -d 1 . | sort -h
df -h
realpath src
readlink -f src/a.ts
basename src/a.ts .ts
dirname src/a.ts
test -f package.json && echo yes
[ -f package.json ] && echo yes || echo no
[ -d src ] && ls src
[[ -f README.md ]] && head -3 README.md
if [ -f README.md ]; then cat README.md; else echo none; fi
for f in *.md; do head -1 $f; done
for f in src/*.ts; do echo "== $f"; head -5 "$f"; done
for f in $(ls src); do echo $f; done
for i in 1 2 3; do echo $i; done
for i in $(seq 1 3); do sed -n "${"$"}{i}p" README.md; done
while read -r line; do echo "$line"; done < README.md
cat README.md | while read l; do echo "$l"; done
x=$(wc -l < README.md); echo "lines: $x"
echo ---
echo "== README ==" && cat README.md
echo $HOME
echo "$PWD"
echo $((1 + 2))
echo "files: $(ls | wc -l)"
echo "${"$"}{HOME##*/}"
printf '%s\n' *.md
printf '%-10s %s\n' a b
ls -la; echo "---"; cat package.json
ls src 2>/dev/null || echo "no src"
(cd src && ls)
{ ls; pwd; } | head -5
set -e; ls; cat README.md
set -euo pipefail; grep -rn text src | head
LC_ALL=C sort README.md
time ls
timeout 10 grep -rn foo src
env | sort
printenv PATH
which node
command -v node
type node
node --version
node -v
node -p 'process.version'
node -p "require('./package.json').name"
node -e "console.log(Object.keys(require('./package.json')))"
npm --version
npm -v
npm ls --depth=0
npm pkg get name
pnpm --version
python3 --version
python3 -c 'import sys; print(sys.version)'
python3 -c "import json; print(json.load(open('package.json')))"
git --version
bash --version
gcc --version
go version
cargo --version
whoami
id
hostname
uname -a
date
date +%s
date -u -d '2 days ago' +%F
uptime
ps aux
ps aux | grep node
free -h
nproc
lscpu
git status
git status -sb
git status --porcelain | head
git diff
git diff --stat
git diff HEAD~1
git diff --cached
git diff HEAD -- src
git diff main...HEAD --name-only
git log --oneline -10
git log -5 --stat
git log --oneline --graph --all | head -20
git log -p -1
git log -1 --format=%H
git log --since='1 week ago' --oneline
git log --author=me --oneline | wc -l
git log --follow --oneline -- src/a.ts
git show HEAD
git show HEAD --stat
git show HEAD:src/a.ts
git show --name-only HEAD
git blame src/a.ts
git blame -L 1,5 src/a.ts
git branch
git branch -a
git branch --show-current
git rev-parse HEAD
git rev-parse --show-toplevel
git rev-list --count HEAD
git merge-base main HEAD
git ls-files
git ls-files | wc -l
git ls-files '*.ts' | head
git grep -n x
git grep -n foo -- src
git grep -l text
git grep -c text HEAD
git config --get user.name
git config user.email
git remote -v
git tag
git stash list
git reflog
git describe --tags --always
git shortlog -sn HEAD
git log --oneline | awk '{print $1}' | head -5
git ls-files | grep ts | sort
git diff --name-only | sort
git -C src log --oneline -3
tar -tf src/a.tar
unzip -l src/a.zip
zcat src/a.gz | head
column -t README.md
paste README.md package.json | head -3
nl -ba src/a.ts | sed -n '1,20p'
tac README.md
rev README.md
fold -w 80 README.md
cat README.md | tee /dev/null | head -2
xargs -n1 echo < README.md
cat package.json | xargs echo
ls | xargs -I{} echo {}
shuf -n 2 README.md
seq 1 5
expr 1 + 2
echo "1+2" | bc
bash -n src/a.sh
sh -c 'ls *.md'
bash -c 'cd src && ls'
`
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (line.startsWith("cat <<") ? `${line}\none\ntwo\nEOF` : line));
