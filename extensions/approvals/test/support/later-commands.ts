/**
 * Reading commands that were written after the tables, as agents of other projects issue them. None of them changes a file,
 * needs the network or shows a private file.
 */
export const LATER_READING_COMMANDS: readonly string[] = String.raw`
cat -A README.md | head -5
cat -s README.md
cat package.json src/a.ts | wc -w
head -n -1 README.md
head --lines=3 README.md
head -q -n 2 README.md package.json
tail --lines=+3 README.md
ls -ld src
ls -i README.md
ls --color=never -1A src
ls -la --sort=size | head -5
ls -F src | grep '/$'
ls src/*.ts | xargs -n1 basename
ls -1 src | sed 's/\.ts$//'
find . -maxdepth 3 -name 'package.json' -not -path './node_modules/*' | sort
find . -type f -iname '*readme*'
find src -type f -name '*.ts' -exec grep -l 'import' {} + | sort
find . -type d -empty
find . -type f -perm -u+x | head
find . -type f -name '*.ts' ! -name '*.d.ts' | wc -l
find . -depth -maxdepth 2 -print | head -30
find src -type f -mmin -60
find . -type l -ls
find . -type f -links +1
find . -samefile README.md
grep -rn --include='*.{ts,tsx}' 'export default' src
grep -rhoE "from '[^']+'" src | sort | uniq -c | sort -rn | head -20
grep -nE '^\s*(async )?function' src/a.ts
grep -L 'license' README.md package.json
grep -rn 'text' src | head -n 3 | cut -c1-120
grep -vE '^\s*(//|#|$)' src/a.ts | wc -l
grep -x 'text' README.md
grep -b text README.md
grep -rz 'foo' src | tr '\0' '\n' | head
grep -i -e foo -e bar README.md
grep -n '' README.md | tail -2
egrep 'a|b' README.md
fgrep 'a.b' README.md
zgrep foo src/a.gz
rg -nN foo README.md
rg --no-ignore --hidden -l foo src
rg -q foo && echo found
rg -F 'a(b' src
rg --sort path -l foo
rg -r '$1' '(f)oo' src
rg --max-depth 2 foo
rg -g '!*.test.ts' -n foo src
rg --vimgrep foo src | head -2
rg -p foo README.md | head
sed -n '2{p;q}' README.md
sed -n '/^export/{s/export //;p}' src/a.ts
sed 's/[[:space:]]*$//' README.md | head -3
sed '/foo/!d' README.md
sed = README.md | sed 'N;s/\n/\t/'
sed -n 'l' README.md
sed 'y/abc/xyz/' README.md
sed '$!N;$!D' README.md
sed -s -n '1p' README.md package.json
awk 'FNR==1{print FILENAME}' src/*.ts
awk '{ lines[NR]=$0 } END { for (i=NR; i>0; i--) print lines[i] }' README.md
awk -v n=3 'NR<=n' README.md
awk 'BEGIN { print 1/3 }'
awk '{ gsub(/foo/, "bar"); print }' README.md
awk '/foo/ {c++} END {print c+0}' README.md
awk '{ print toupper($0) }' README.md | head -2
awk 'match($0, /[0-9]+/) { print substr($0, RSTART, RLENGTH) }' README.md
awk -F'[:,]' '{ print $1 }' README.md
awk '{ $NF=""; print }' README.md
cut --complement -c1 README.md
cut -d' ' -f2- README.md
sort -k2,2 -k1,1r README.md
sort -V README.md | tail -1
sort -c README.md && echo sorted
sort -R README.md | head -1
uniq -d README.md
tr '[:upper:]' '[:lower:]' < README.md | tr -s '[:space:]' '\n' | sort | uniq -c | sort -rn | head
wc -L README.md
wc --lines src/a.ts src/deep/b.ts
jq -r '.scripts // empty | keys_unsorted[]' package.json
jq 'to_entries | map(select(.key | startswith("n")))' package.json
jq -s 'length' package.json
jq --raw-output '[.name, .version] | @tsv' package.json
jq -n '1 + 1'
jq 'has("name")' package.json
git log --pretty=format:'%h|%an|%ar|%s' -20
git log --diff-filter=A --name-only --oneline -5
git log -1 --format=%cd --date=iso-strict
git log --no-merges --oneline HEAD~3..HEAD
git log --reverse --oneline | head -3
git log -G'foo' --oneline -- src
git diff --name-status HEAD~1
git diff --shortstat
git diff -U0 HEAD
git diff --ignore-all-space --stat
git diff --no-color HEAD -- '*.md'
git show --format= --name-only HEAD
git show HEAD~1:README.md | head -3
git rev-parse --short HEAD
git rev-parse --verify --quiet main
git branch -r
git branch --sort=-committerdate --format='%(refname:short)'
git tag -l 'v*' --sort=-v:refname | head -1
git ls-files -z | tr '\0' '\n' | head
git ls-files --stage src
git status --porcelain=v2 --branch
git status -uno
git blame -w -L 1,3 README.md
git rev-list --all --count
git describe --all --long
git merge-base --is-ancestor main HEAD && echo yes
git check-attr -a README.md
git var GIT_AUTHOR_IDENT
stat -f -c '%T' .
stat -L README.md
du -sk src | cut -f1
du --max-depth=1 -h src
file --mime README.md
od -c -N 8 README.md
xxd -p README.md | head -1
cksum README.md
b2sum README.md
sha512sum README.md | cut -c1-16
base64 package.json | head -c 40
nl -w2 -s': ' README.md
expand -t 4 README.md
pr -t -n README.md | head
fmt -w 60 README.md
printf '%05d\n' 42
echo "${"$"}{PWD##*/}"
echo "${"$"}#"
echo "${"$"}{SHELL:-none}"
echo {1..5}
test -s README.md && echo filled
test "$(wc -l < README.md)" -gt 0 && echo lines
[ README.md -nt package.json ] && echo newer || echo older
[[ README.md == *.md ]] && echo markdown
for n in 1 2; do sed -n "${"$"}n p" README.md; done
for f in $(git ls-files | head -3); do echo "$f"; done
for f in src/*; do [ -f "$f" ] && wc -c "$f"; done
while IFS=: read -r a b; do echo "$a"; done < README.md
i=0; for f in *.md; do i=$((i + 1)); done; echo $i
n=$(ls | wc -l) && echo "$n entries"
type ls
command -V cat
which -a python3
python3 -c 'print(2 ** 10)'
python3 -c 'import json, sys; print(sorted(json.load(open("package.json"))))'
python3 -c "import os; print(len(os.listdir('.')))"
node -p '1 + 1'
node -p 'Object.keys(require("./package.json")).length'
date -d @0 -u +%Y
date -r README.md +%s
locale
tty
groups
arch
getconf PAGESIZE
numfmt --to=iec 123456
factor 97
tsort README.md
ps -eo pid,comm --sort=-pid | head -3
pgrep -l node
ldd --version | head -1
ls -la /usr/lib/node_modules 2>/dev/null | head -3
cat /proc/version
cat /proc/meminfo | head -2
comm <(sort README.md) <(sort package.json) | head
diff --brief README.md package.json
diff -y --suppress-common-lines README.md package.json | head -3
diff -rq src src/deep
cmp -l README.md package.json | head -2
paste -sd, README.md
column -s, -t < README.md
`
  .split("\n")
  .filter((line) => line !== "");

/** Commands with an effect, or that leak, written after the tables; each needs approval where no sandbox is active. */
export const LATER_HOSTILE_COMMANDS: readonly string[] = String.raw`
cat README.md > >(tee made)
ls >| made
ls &> made
ls >& made
cat README.md 1<> made
exec 3> made; echo x >&3
printf x | dd of=made
dd if=README.md of=made status=none
sort README.md --output made
sort -S 1 -T /tmp --compress-program=./x README.md
sort --files0-from=.env
uniq README.md made
split -l 1 README.md made
csplit README.md 1
tee -a made < README.md
install -m 755 src/a.sh made
cp README.md made
ln -s /etc/passwd made
mv README.md made
truncate -s 0 README.md
shred README.md
patch -p0 < src/a.ts
ed -s README.md
ex -sc 'w! made|q' README.md
vim -es -c 'w! made' -c q README.md
sed -n 'w made' README.md
sed 's/a/b/w made' README.md
sed '1e touch made' README.md
sed -e '1r .env' README.md
sed --in-place=.bak s/a/b/ README.md
sed -i'' 1d README.md
sed -nf src/a.sed README.md
awk '{print > "made"}' README.md
awk 'BEGIN{system("touch made")}'
awk 'BEGIN{"id" | getline x; print x}'
awk '{print | "sh"}' README.md
awk -f src/a.awk README.md
awk '@load "filefuncs"; BEGIN{}' README.md
awk 'BEGIN{while((getline l < ".env")>0) print l}'
awk -i inplace '{print}' README.md
gawk -e 'BEGIN{system("id")}'
find . -name '*.md' -fprint made
find . -name '*.md' -exec sh -c 'touch made' \;
find . -name '*.md' -ok rm {} \;
find . -type f -execdir mv {} x \;
find . -fls made
find / -name id_rsa
find ~ -type f
find .. -name '*.txt' -exec cat {} +
xargs -a README.md rm
ls | xargs -I{} sh -c 'touch {}'
ls | xargs -P 4 touch
echo made | xargs tee
printf 'made\0' | xargs -0 touch
grep -f .env README.md
grep -r '' ~/.aws
grep '' /etc/shadow
rg --pre ./x foo
rg --pre=sh foo README.md
rg --hostname-bin ./x foo
rg -f .env
rg -z --search-zip foo --pre cat
rg '' .env
rg -uuu '' .env .
jq -f src/a.jq package.json
jq --slurpfile x .env . package.json
jq --rawfile x .env '$x' package.json
jq -n 'input' .env
jq -L ./src 'import "x" as x; .' package.json
git diff --ext-diff
git -c core.fsmonitor=./x status
git -c alias.x='!touch made' x
git --exec-path=. status
git --git-dir=evil status
git log --output=made
git log -p --textconv
git archive -o made HEAD
git bundle create made HEAD
git format-patch -1
git checkout -- README.md
git restore README.md
git clean -fd
git reset --hard
git update-ref refs/heads/x HEAD
git symbolic-ref HEAD refs/heads/x
git hash-object -w README.md
git notes add -m x
git worktree add made
git submodule foreach touch made
git bisect run ./x
git rebase --exec 'touch made' HEAD~1
git difftool -y -x 'touch made'
git grep --open-files-in-pager=touch foo
git show --output made HEAD
git ls-remote ext::'sh -c touch% made'
git fetch --upload-pack='touch made' .
git blame --contents ../outside/secret.txt README.md
git config alias.x '!id'
git cat-file --textconv HEAD:README.md
git diff --no-index README.md ~/.ssh/id_rsa
env -S 'touch made'
env -i sh -c 'touch made'
env LD_PRELOAD=./x.so ls
LD_PRELOAD=./x.so ls
PATH=.:$PATH ls
BASH_ENV=src/a.sh bash -c ls
GIT_EXTERNAL_DIFF='touch made' git diff
PAGER='touch made' git log
GIT_PAGER=./x git -p log
LESSOPEN='|touch made' less README.md
MANPAGER='touch made' man ls
RIPGREP_CONFIG_PATH=src/rc rg foo
NODE_OPTIONS='--require ./x.js' node --version
PYTHONSTARTUP=src/a.py python3 -c 'print(1)'
PERL5OPT=-Mx perl -v
node -e 'require("fs").writeFileSync("made","")'
node -p 'process.binding("spawn_sync")'
node -p 'require("child_process").execSync("id")+""'
node -r ./x.js --version
node --import ./x.mjs -p 1
node --env-file=.env -p 'process.env'
node -p "fetch('http://127.0.0.1/'+1)"
node --check ./src/a.js && node src/a.js
python3 -c '__import__("os").system("id")'
python3 -c 'print(open(".env").read())'
python3 -c 'import socket; socket.create_connection(("127.0.0.1", 1))'
python3 -c 'exec("import os; os.remove(1)")'
python3 -m http.server
python3 -X importtime -m src
perl -e 'unlink "README.md"'
perl -ne 'print' -i README.md
perl -pe 'system("id")' README.md
ruby -e 'File.write("made","")'
php -r 'unlink("x");'
lua -e 'os.execute("id")'
tclsh src/a.tcl
tar cf made README.md
tar xf src/a.tar
tar tf src/a.tar --to-command='touch made'
tar tf src/a.tar --checkpoint=1 --checkpoint-action=exec=id
tar -tf src/a.tar -I 'touch made'
unzip src/a.zip
unzip -p src/a.zip .env > made
zip made README.md
gzip README.md
gunzip -f src/a.gz
zcat src/a.gz > made
bzip2 -k README.md
openssl enc -in .env
openssl rand -out made 8
base64 .env
xxd -r README.md made
od -c .env
strings ~/.netrc
head -c 9 ~/.bash_history
cat ~/.config/gh/hosts.yml
cat /proc/self/environ
cat /proc/1/environ
ls -la /proc/self/fd/
less +'!id' README.md
man -P 'touch made' ls
view -c ':!id' README.md
curl file:///etc/passwd
curl -d @README.md http://127.0.0.1/
wget -O made http://127.0.0.1/
nc 127.0.0.1 80 < README.md
ssh -o ProxyCommand='touch made' x
rsync -e 'sh -c id' README.md x:
scp README.md x:
ping -c 1 127.0.0.1
dig secret.example
echo x > /dev/tcp/127.0.0.1/80
exec 5<>/dev/tcp/127.0.0.1/80
bash -i
bash src/a.sh
bash --rcfile src/a.sh -i
bash -c "$(cat src/a.sh)"
eval "$(cat src/a.sh)"
source src/a.sh
. ./src/a.sh
sh < src/a.sh
cat src/a.sh | sh
bash <(cat src/a.sh)
timeout 5 touch made
nice -n 5 touch made
nohup touch made
setsid touch made
time touch made
stdbuf -oL touch made
script -c id made
watch -n 1 touch made
parallel touch ::: made
flock made ls
chroot . ls
unshare -r touch made
strace -o made ls
gdb -batch -ex 'shell id'
make -f src/a.mk
make -n --eval='$(shell touch made)'
npm exec touch made
npm run-script x
npx touch made
yarn dlx x
pnpm dlx x
cargo run
go run src/a.go
go vet -vettool=./x ./...
docker run -v /:/x alpine
docker exec x id
kubectl delete pod x
systemctl stop x
crontab -l | sh
at now < src/a.sh
kill -9 1
pkill node
killall node
renice -n 5 -p 1
chmod +x src/a.sh
chown root README.md
chattr +i README.md
setfacl -m u:x:r README.md
mkfifo made
mknod made p
touch -r README.md package.json
mkdir -p made/x
rmdir src/deep
unlink README.md
rename s/a/b/ README.md
trap 'touch made' EXIT; ls
PROMPT_COMMAND='touch made'; ls
f() { touch made; }; f
alias ls='touch made'; ls
enable -f ./x.so y
hash -p ./x ls; ls
complete -C 'touch made' ls
coproc touch made
read -r x < .env; echo "$x"
mapfile -t a < .env; echo "${"$"}{a[@]}"
printf -v x '%s' "$(cat .env)"; echo "$x"
echo "$(<.env)"
cat .e*
cat .[e]nv
cat ./.env
cat src/../.env
cat $(echo .env)
cat "${"$"}{PWD}/.env"
cd .. && cat workspace/.env
ls -la ~/.ssh
env | grep KEY > made
set -o noclobber; echo x > made
pushd src && touch made
for f in *.md; do mv "$f" made; done
for f in *.md; do cp "$f" "$f.bak"; done
while read -r f; do rm "$f"; done < README.md
if true; then touch made; fi
case x in x) touch made ;; esac
true && touch made
false || touch made
! touch made
(touch made)
{ touch made; }
touch made &
ls; touch made
ls | touch made
x=$(touch made); ls
echo "$(touch made)"
cat <(touch made)
echo $((x[$(touch made)]))
[[ -v x[$(touch made)] ]]
test -v 'x[$(touch made)]'
: > made
> made
ps -eo pid,environ
`
  .split("\n")
  .filter((line) => line !== "");
