/**
 * Further commands with which coding agents read a project, one per line: loops, substitutions, quoting styles, chains and
 * lookups. None of them changes a file, needs the network or shows a private file.
 */
export const EVERYDAY_COMMANDS: readonly string[] = String.raw`
cd src && ls -la && cd ..
ls -la . 2>/dev/null | head -20
ls -la src/ package.json 2>&1
cat ./README.md | head -n 20
cat "README.md"
cat 'src/a.ts' | wc -l
/bin/ls -la
/usr/bin/cat README.md
/usr/bin/env node --version
head -c 100 package.json; echo
tail -n +2 README.md | head -3
sed -n 1,20p src/a.ts
sed -n '5,$p' src/a.ts
sed 's/^/  /' README.md
sed '/^$/d;s/foo/bar/' README.md
sed -nE 's/.*"version": "([^"]+)".*/\1/p' package.json
sed -n "/function/p" src/*.ts
sed '1d' README.md
sed -e '1,5!d' src/a.ts
awk 'NR==1' README.md
awk -F, '{print NF}' README.md
awk '{ if (length($0) > 80) print FILENAME ":" FNR }' src/*.ts
awk 'BEGIN{FS=":"} {print $1}' README.md
awk '/start/,/end/' src/a.ts
awk '{count[$1]++} END {for (k in count) print k, count[k]}' README.md
awk 'NR % 2 == 0' README.md
awk '!seen[$0]++' README.md
awk '{$1=""; print}' README.md
awk '{printf "%-10s %s\n", $1, $2}' README.md
grep -rn "TODO" --include="*.ts" --include "*.tsx" src | head -20
grep -rn -i "error" . --exclude-dir={node_modules,dist,.git}
grep -rIl "foo" .
grep -n -A 5 "scripts" package.json
grep -En "^(export|import)" src/a.ts
grep -rc "" src | sort -t: -k2 -nr | head -5
grep -nH foo src/*.ts
grep -o -E '[0-9]+' README.md | sort -n | uniq
grep "foo" README.md || true
grep -l foo src/*.ts | wc -l
grep --include=\*.ts -rnw src -e 'foo'
grep -rn "useState(" src --include=*.ts
grep -Fxq "text" README.md && echo yes
rg --type ts foo
rg --glob '*.ts' foo
rg "foo" --glob "!node_modules"
rg -n "foo" src --max-count 3
rg -l foo | xargs wc -l
rg --files -g '*.ts' | wc -l
rg --files | grep -v test | sort
rg -n --context 2 foo README.md
rg -w -S foo src
rg 'class \w+' --type-add 'x:*.x' -g '*.ts'
rg "import .* from" -o --no-filename src
find . -type d -name node_modules -prune -o -name '*.ts' -print
find . -name '*.ts' | head -20
find . -path ./node_modules -prune -o -type f -name "*.json" -print
find . -type f \( -name "*.ts" -o -name "*.js" \) ! -path "*/dist/*"
find src -name "*.ts" -exec wc -l {} \;
find src -name '*.ts' -exec grep -Hn foo {} +
find . -maxdepth 1 -type f -exec basename {} \;
find . -name "*.ts" | xargs grep -l "export" | head
find . -name '*.ts' -print0 | xargs -0 grep -n "foo" | head -20
find . -type f -name "*.md" | while read -r f; do echo "== $f"; head -3 "$f"; done
find . -type f | sed 's/.*\.//' | sort | uniq -c | sort -rn
find . -type f -size +10k | xargs ls -la
find . -type f -printf '%T@ %p\n' | sort -n | tail -5 | cut -d' ' -f2-
find . -newer package.json -type f
find src -iname '*A*'
ls | grep -v node_modules
ls -1 | wc -l
ls src/*.{ts,js} 2>/dev/null
ls -la src/{a.ts,deep}
ls *.json *.md
ls -d src/*/
ls -t | head -1
ls -S src | head
ls -alh --group-directories-first
for d in src/*/; do echo "$d: $(ls "$d" | wc -l)"; done
for f in README.md package.json; do echo "--- $f ---"; cat "$f"; done
for f in $(find src -name '*.ts'); do wc -l "$f"; done
for f in src/*.ts; do grep -c import "$f"; done | sort -n
for i in {1..3}; do sed -n "${"$"}{i}p" README.md; done
for p in a b; do test -d src/$p && echo $p; done
for f in *.md; do echo "${"$"}{f%.md}"; done
for f in src/*.ts; do printf '%s: %s\n' "$(basename "$f")" "$(wc -l < "$f")"; done
if [ -d node_modules ]; then ls node_modules | head; else echo "no node_modules"; fi
if grep -q foo README.md; then echo yes; else echo no; fi
if [[ -f tsconfig.json ]]; then cat tsconfig.json; fi
if ! grep -q foo README.md; then echo missing; fi
test -d src && echo "src exists"
test -e foo.txt || echo "missing"
[ -n "$HOME" ] && echo "home set"
[ "$(ls | wc -l)" -gt 0 ] && echo "not empty"
[[ "$SHELL" == */bash ]] && echo bash
[ -f a.json ] && cat a.json
x=5; echo $((x * 2))
NAME=$(basename "$PWD"); echo "$NAME"
FILES=$(ls src); echo "$FILES"
DIR=src; ls "$DIR"; wc -l $DIR/*.ts
count=$(grep -c text README.md); echo "count=$count"
echo "Current dir: $(pwd)"
echo "Branch: $(git branch --show-current)"
echo "Date: $(date +%F)"
echo "Node: $(node --version)"
echo "a b c" | tr ' ' '\n'
echo '{"a":1}' | jq .a
echo "hello world" | awk '{print $2}'
echo -e "a\tb"
echo -n "abc" | md5sum
echo "aGVsbG8=" | base64 -d
printf "%s\n" "a" "b" | sort -r
printf '%s\0' a b | xargs -0 -n1 echo
cat <<< "hello" | wc -c
wc -l < package.json
wc -l $(git ls-files)
sort package.json | head -5 && echo done
uniq -c README.md | sort -rn | head
jq '.scripts.test' package.json
jq -r '.scripts | to_entries[] | "\(.key): \(.value)"' package.json
jq -r '.devDependencies // {} | keys | .[]' package.json
jq '.name, .version' package.json
jq --arg k name '.[$k]' package.json
jq 'length' < package.json
jq -e '.dependencies.react' package.json >/dev/null && echo has
jq 'del(.scripts)' package.json
git status --short | wc -l
git log --oneline -n 5 -- src/a.ts
git log -1 --pretty=format:'%h %an %s'
git log --graph --decorate --oneline -20
git log --all --grep=fix --oneline
git log -S foo --oneline
git log --name-status -3
git log main..HEAD --oneline
git log -n 3 --date=short --format="%ad %s"
git diff --name-only HEAD~1 HEAD
git diff --stat origin/main...HEAD
git diff -- src/a.ts
git diff HEAD --numstat
git diff --word-diff
git --no-pager diff
git -c color.ui=never log --oneline -3
git show HEAD:package.json | jq .version
git show --stat HEAD~1
git show -s --format=%B HEAD
git branch -vv
git branch --list 'feat*'
git branch --contains HEAD
git remote get-url origin
git config --list
git config --get-regexp '^remote'
git rev-parse --is-inside-work-tree
git rev-parse --git-dir
git rev-parse --abbrev-ref HEAD
git symbolic-ref --short HEAD
git ls-tree --name-only HEAD
git cat-file -t HEAD
git for-each-ref --format='%(refname:short)' refs/heads
git stash show -p
git worktree list
git submodule status
git check-ignore -v node_modules
git blame -L '/foo/,+5' src/a.ts
git count-objects -vH
git diff-tree --no-commit-id --name-only -r HEAD
git name-rev HEAD
git log --oneline | wc -l
git ls-files --others --exclude-standard
git ls-files -m
git grep -n "foo" -- '*.ts'
git grep -c foo | sort -t: -k2 -rn
git whatchanged -1
git show-branch
git tag --sort=-creatordate | head -5
node --version && npm --version
node -p "require('./package.json').version"
python3 --version 2>&1
python3 -V
which node npm python3
command -v rg >/dev/null && echo "rg ok"
type -a node
npm run
npm ls --depth 0
npm pkg get scripts
npm config get registry
npm root
pip list | head
pip show requests
docker ps -a
docker images
docker --version
cargo --version
go version
tar tf a.tar | head
tar -tzvf a.tgz
unzip -l a.zip
zcat a.gz | head -5
file package.json
file -b --mime-type package.json
stat -c %Y README.md
stat --printf='%s\n' README.md
du -sh * | sort -h
du -sh .[!.]* * 2>/dev/null
du -a src | sort -n | tail
df -h .
df -h | head -2
free -m
uname -sr
hostname
whoami && id -u
id -un
uptime
ps aux | head -5
ps -ef | grep node | grep -v grep
ps -o pid,cmd
date '+%Y-%m-%d %H:%M'
date -u +%FT%TZ
env | grep -i path
printenv HOME
echo $PATH | tr ':' '\n'
echo "$USER@$(hostname)"
cal
nproc && free -h
cat /proc/cpuinfo | grep 'model name' | head -1
cat /etc/os-release | head -3
ls /usr/bin | wc -l
lscpu | head
diff -u <(sort a) <(sort b)
diff README.md package.json | head -20
diff -q README.md package.json || echo differ
cmp -s README.md package.json && echo same
comm -23 README.md package.json
join README.md package.json
paste -d, README.md package.json
column -t -s: README.md
fold -s -w 60 README.md
nl README.md
tac README.md | head -3
rev README.md
shasum -a 256 README.md
sha256sum package.json | cut -d' ' -f1
md5sum src/* 2>/dev/null
xxd -l 32 README.md
hexdump -C README.md | head -3
od -An -tx1 -N16 README.md
strings -n 8 README.md | head
base64 -w0 README.md
cut -d'"' -f2 package.json
cut -f1 -d' ' README.md | sort | uniq -c
tr -s ' ' < README.md
tr -cd '[:alnum:]' < README.md
basename "$(pwd)"
dirname $(realpath src/a.ts)
realpath --relative-to=. src/a.ts
readlink -f src
seq -s, 1 5
expr 3 \* 4
echo $((2**10))
bc <<< "3*4"
sleep 1 && ls
true && echo ok
time grep -rn foo src
timeout 5 ls
nice ls
(ls; pwd) | head
{ echo a; echo b; } | sort
set -x; ls
ls; echo "exit: $?"
pwd; ls -la; git status --short
cd src; ls; cd ..; ls
cat src/a.ts src/deep/b.ts | grep -n import | head -5
bash -c "ls | head -3"
sh -c 'cat README.md | wc -l'
xargs -a README.md echo
ls | xargs -I {} basename {}
ls src | xargs -n 1 echo
cat README.md | tee /dev/null | wc -l
less README.md
more README.md
tree -a -I '.git|node_modules' -L 3
tree -d src
`
  .split("\n")
  .filter((line) => line !== "");
