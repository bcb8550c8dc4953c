/**
 * Reading commands in the style of other coding agents: through `bash -lc`, with numbered lines, headings between files,
 * `cd` before each command, and code of Python and Node that prints a value. They were written after the tables and the
 * other lists.
 */
export const AGENT_READING_COMMANDS: readonly string[] = [
  ...String.raw`
bash -lc 'ls -la'
bash -lc "rg --files | head -50"
bash -lc "sed -n '1,200p' src/a.ts"
bash -lc 'nl -ba src/a.ts | sed -n "1,120p"'
bash -lc 'git status --short && git diff --stat'
bash -lc "rg -n 'import|export' src -S | head -40"
bash -lc 'cat package.json | jq .scripts'
bash -c 'wc -l src/*.ts'
sh -c 'cat README.md | head -20'
nl -ba README.md | sed -n '1,40p'
nl -ba src/a.ts | tail -n +1 | head -n 60
sed -n '1,80p;120,160p' src/a.ts
sed -n 1,5p README.md; echo ----; sed -n 1,5p package.json
cd src && ls -la && cd ..
cd src && grep -rn "export" --include="*.ts" . | head -20
cd ./src/deep && pwd && cat b.ts
cd src; cat a.ts; cd - >/dev/null
(cd src && wc -l *.ts)
pushd src >/dev/null && ls && popd >/dev/null
cat README.md 2>/dev/null || echo "no README"
ls -la src/ 2>&1 | head -40
ls -la tests 2>/dev/null; ls -la test 2>/dev/null; ls src
ls *.toml *.cfg *.json 2>/dev/null
ls -R src | grep -v '^$' | head -60
ls -d */ | sed 's#/##'
echo "=== package.json ===" && cat package.json && echo "=== tree ===" && find . -maxdepth 2 -not -path '*/.git*' | sort
echo "--- a.ts ---"; cat src/a.ts; echo "--- b.ts ---"; cat src/deep/b.ts
printf '%s\n' "--- README" && cat README.md
for f in src/a.ts src/deep/b.ts; do echo "## $f"; cat "$f"; done
for f in $(find src -name '*.ts' | sort); do printf '%s: ' "$f"; wc -l < "$f"; done
for d in src src/deep; do echo "$d: $(ls $d | wc -l)"; done
for i in $(seq 1 3); do echo "line $i: $(sed -n "${"$"}{i}p" README.md)"; done
find . -type f \( -name '*.ts' -o -name '*.tsx' -o -name '*.js' \) -not -path '*/node_modules/*' -not -path '*/dist/*' | head -100
find . -name '*.py' -not -path './.venv/*' | xargs grep -ln 'class ' 2>/dev/null | head
find . -type f -name '*.md' -print0 | xargs -0 grep -n 'text'
find . -type f -name '*.ts' -exec wc -l {} + | sort -rn | head -15
find . -type f -name '*.ts' -exec grep -Hn 'export' {} \; | head -30
find src -type f | sed 's/.*\.//' | sort | uniq -c | sort -rn
find . -path ./node_modules -prune -o -type f -name '*.json' -print | head
find . -path './.git' -prune -o -type d -print | sed 's|[^/]*/|  |g'
find . -newer package.json -type f -not -path './.git/*' | head -10
find . -type f -size +100k -not -path './.git/*' -exec ls -lh {} \;
find src -name 'a.*' -printf '%p %s %TY-%Tm-%Td\n'
grep -rnw 'export' src --include='*.ts' -A 3 -B 1 | head -80
grep -rn "TODO\|FIXME\|XXX" --include="*.ts" --include="*.md" . | grep -v node_modules | wc -l
grep -rln 'import' src | xargs -I{} echo "file {}"
grep -c '' src/a.ts README.md package.json
grep -n 'text' README.md | cut -d: -f1 | tr '\n' ' '
grep -rIl --exclude-dir=.git --exclude-dir=node_modules 'text' . | sort
grep -Pzo '(?s)text.*' README.md | tr -d '\0' | head
grep -m1 -n 'version' package.json
grep -oP '"version":\s*"\K[^"]+' package.json
grep -E '"(main|module|types|exports)"' package.json
rg -n "foo" -g '!node_modules' -g '!dist' --stats | tail -8
rg --files -g '*.ts' -g '!*.d.ts' | sort | head -20
rg -n --no-heading --color never 'export (default )?function' src
rg -l 'text' --type md
rg -c 'text' | sort -t: -k2 -rn | head
rg -n -C 3 'foo' README.md
rg -U 'text\n' README.md
rg --json 'text' README.md | head -3
rg -o '\b[a-z]+@[a-z.]+\b' README.md | sort -u
rg --type-list | grep -i typescript
git --no-pager diff
git --no-pager log --oneline -n 10
git --no-pager log -n 3 --stat -- src
git --no-pager show --stat HEAD
git -C . status --short --branch
git -C . log --oneline --graph --decorate -5
git log --oneline -20 -- src/a.ts
git log -p -1 -- README.md | head -80
git log --since='2 weeks ago' --author='a' --oneline
git log --follow --format='%h %s' -- README.md
git log --all --oneline --grep='one' | head -20
git diff HEAD~1..HEAD -- src | head -200
git diff --cached --name-only
git diff --numstat HEAD
git diff --word-diff=plain HEAD -- README.md
git show HEAD:package.json | jq -r .name
git show -s --format='%an <%ae>' HEAD
git blame -L '/text/,+3' README.md
git blame --date=short README.md | awk '{print $2}' | sort | uniq -c
git ls-files | xargs wc -l | tail -1
git ls-files '*.ts' | xargs grep -n 'export' | head
git ls-files --others --exclude-standard
git ls-tree -r --name-only HEAD | head -50
git grep -n 'export' -- 'src/*.ts'
git grep -nE 'import|export' HEAD -- src | head
git stash list
git remote -v
git config --get remote.origin.url
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git branch -a --contains HEAD
git shortlog -sn HEAD
git cat-file -p HEAD | head -5
git rev-list --count HEAD
git status && git log -3 --oneline && git diff --stat
git worktree list
git check-ignore -v README.md || true
git name-rev HEAD
head -c 400 package.json; echo
head -50 src/a.ts src/deep/b.ts
tail -n 20 README.md && wc -c README.md
cat -n src/a.ts | sed -n '1,30p'
cat src/a.ts | grep -n 'export' | head -5
cat package.json | python3 -m json.tool | head -30
cat package.json | python3 -c 'import sys, json; d = json.load(sys.stdin); print(d["name"], list(d.get("scripts", {})))'
python3 -c "import json; print(json.dumps(json.load(open('package.json')), indent=2)[:500])"
python3 -c "print('\n'.join(sorted(open('README.md').read().split())))"
python3 -c "import sys; print(sys.version)"
python3 -m json.tool package.json
python3 --version && node --version
python3 -c 'import ast; print([n.name for n in ast.parse("def f(): pass").body])'
node -e "console.log(require('./package.json').scripts)"
node -e 'const p = require("./package.json"); console.log(p.name, p.version)'
node -p "require('./package.json').version"
node -p 'process.versions.v8'
node -e 'console.log(JSON.stringify(JSON.parse("{\"a\":1}"), null, 2))'
jq '.scripts | keys' package.json
jq -r '.dependencies // {} | to_entries[] | "\(.key)@\(.value)"' package.json
jq -c '{name, version}' package.json
jq -e '.private == true' package.json || echo public
awk 'NR>=1 && NR<=40 {printf "%4d  %s\n", NR, $0}' src/a.ts
awk '/import/{print FILENAME":"FNR": "$0}' src/a.ts src/deep/b.ts
awk 'length > 100 {print FILENAME": "FNR}' src/*.ts
awk -F: '{print $1}' README.md | sort -u
awk '{s+=length($0)} END {print s, NR}' README.md
diff -u README.md package.json | head -40
diff <(ls src) <(ls src/deep)
diff --color=never -r src src/deep | head
comm -12 <(ls src | sort) <(ls src/deep | sort)
md5sum src/a.ts src/deep/b.ts
sha256sum package.json | awk '{print $1}'
stat -c '%n %s %y' README.md package.json
stat --format='%A %U %n' src/*
file README.md src/a.ts
file -b package.json
du -sh src | cut -f1
du -ah src | sort -rh | head -20
df -h . | tail -1
tree -L 2 -I 'node_modules|.git' || find . -maxdepth 2 -type d
which node python3 git rg jq 2>/dev/null
command -v rg >/dev/null && echo yes || echo no
type -a node | head -1
uname -a; cat /etc/os-release | head -3
pwd; whoami; date
pwd && ls -la && git status --short
env | cut -d= -f1 | sort | head -40
echo "$PWD" && echo "${"$"}{HOME:-unset}" && echo "$USER"
printenv PATH | tr ':' '\n'
nproc && free -m | head -2
ps -ef | grep -v grep | grep node | head -5
hostname; id -un
test -f package.json && echo "node project" || echo "no package.json"
[ -d src ] && [ -f package.json ] && echo ok
if [ -f README.md ]; then head -5 README.md; else echo missing; fi
if grep -q 'text' README.md; then echo has; fi
case "$(uname)" in Linux) echo linux ;; *) echo other ;; esac
while read -r line; do echo "> $line"; done < README.md
xxd -l 64 README.md
hexdump -C README.md | head -4
od -A d -t x1z README.md | head -3
strings -n 8 README.md | head -5
tr -d '\r' < README.md | diff - README.md && echo "no CRLF"
cut -c1-80 README.md | head -20
column -t -s: README.md | head
paste <(cut -c1-3 README.md) <(cut -c4-9 README.md) | head -3
sort -u README.md | comm -13 - <(sort -u package.json) | head -3
seq 1 5 | xargs -n1 -I% sed -n '%p' README.md
echo 'a,b,c' | tr ',' '\n' | sort -r
basename "$(pwd)"
dirname src/deep/b.ts
realpath src/a.ts
readlink -f src/a.ts
npm --version
npm pkg get name version
npm ls --depth=0 2>/dev/null | head -20
cat tsconfig.json 2>/dev/null | head -40; cat README.md | head -3
cat package.json | grep -A 20 '"scripts"'
cat src/a.ts | wc -l && cat src/deep/b.ts | wc -l
timeout 10 rg -n 'export' src
timeout 30s grep -rn 'text' . --include='*.md'
time wc -l README.md
LC_ALL=C sort README.md | head -3
LANG=C grep -n 'text' README.md
NO_COLOR=1 git status --short
GIT_PAGER=cat git log --oneline -3
PAGER=cat git diff --stat
set -e; ls; cat README.md
set -o pipefail; rg -n 'text' README.md | head -2
true && ls || exit 1
ls; exit 0
sleep 1; ls
while read -r file line; do echo "$line $file"; done < <(grep -n foo README.md | tr : ' ')
mapfile -t found < <(ls src); echo "${"$"}{#found[@]}"
`
    .split("\n")
    .filter((line) => line !== ""),
  'python3 - <<\'PY\'\nimport json\nprint(json.load(open("package.json"))["name"])\nPY',
  "cat <<'EOF' | grep -c x\nx\ny\nEOF",
];
