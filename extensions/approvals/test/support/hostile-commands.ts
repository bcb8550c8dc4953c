/**
 * Commands that look like reading a project and change a file, run a program that they do not show, read a private file or
 * leave the workspace, one per line. None may run without approval outside a sandbox.
 */
export const HOSTILE_COMMANDS: readonly string[] = String.raw`
awk 'BEGIN { system("touch made") }'
awk 'BEGIN { "touch made" | getline x }'
awk '{ print > "made" }' README.md
awk '{ print >> "made" }' README.md
awk 'BEGIN { printf "x" | "tee made" }'
awk 'BEGIN { print "x" |& "cat" }'
awk 'BEGIN { while ((getline line < ".env") > 0) print line }'
awk 'BEGIN { ARGV[1] = "/etc/passwd"; ARGC = 2 } { print }'
awk 'BEGIN { ARGV[ARGC++] = ".env" } 1' README.md
awk 'BEGIN { print ENVIRON["HOME"] }'
awk '@load "filefuncs"; BEGIN { 1 }'
awk '@include "x.awk"'
awk -f x.awk README.md
awk -i inplace '{ print }' README.md
awk -e 'BEGIN { system("id") }'
awk --source 'BEGIN { system("id") }'
awk -v 'x=1' -f x.awk
awk '{ print (1) > "made" }' README.md
awk '{ if ($1 > 0) print > "made" }' README.md
awk '{ print $1, $2 > "made" }' README.md
awk 'BEGIN { x = 1; x++ / 2 | "touch made" / 1 }'
awk 'function f(c) { return system(c) } BEGIN { f("id") }'
awk 1 .env
awk 1 x=1 .env
gawk 'BEGIN { f = "system"; @f("id") }'
gawk -E x.awk
gawk --profile=made 1 README.md
gawk -o made 1 README.md
mawk 'BEGIN { system("id") }'
mawk -W exec x.awk
sed -i s/text/made/ README.md
sed --in-place s/a/b/ README.md
sed -ni p README.md
sed -n -i.bak p README.md
sed -n 'w made' README.md
sed 's/a/b/w made' README.md
sed '1e touch made' README.md
sed 's/.*/touch made/e' README.md
sed 's/a/b/;1w made' README.md
sed -f x.sed README.md
sed --file=x.sed README.md
sed --expression='1e id' README.md
sed -e p -e '1e id' README.md
sed -ne '1{e id' -e '}' README.md
sed 'R .env' README.md
sed 'r .env' README.md
sed '1r /etc/passwd' README.md
sed -n "/a/{p;e id}" README.md
sed 's/[/]/x/e;s/]/touch made/' README.md
sed 'y/a/b/;e' README.md
sed -s -n '$p;W made' README.md
sed -n p .env
sed -n p /etc/passwd
find . -delete
find . -name '*.md' -delete
find . -exec touch made \;
find . -exec sh -c 'touch made' \;
find . -exec rm {} +
find . -execdir touch made \;
find . -ok touch made \;
find . -okdir touch made \;
find . -fprint made
find . -fprint0 made
find . -fprintf made x
find . -fls made
find . -name README.md -exec sed -i s/a/b/ {} \;
find . -name README.md -exec sh -c 'cat $1 > made' _ {} \;
find . -name README.md -exec cp {} made \;
find . -name '.env' -exec cat {} \;
find . -type f -exec cat {} +
find . -files0-from list
find -L . -name secret.txt -exec cat {} \;
find / -name passwd
find .. -type f
find . | xargs rm
find . -type f | xargs cat
find . -name '*.md' | xargs touch
find . -name '*.md' | xargs sed -i s/a/b/
find . -name '*.md' -print0 | xargs -0 rm -f
find . -name '*.md' | xargs sh -c 'touch made'
find . -name '*.md' | xargs -I{} sh -c 'echo {} > made'
find . -name '.e*' | xargs cat
ls -A | xargs cat
ls | xargs -I{} cp {} {}.bak
ls | xargs -n1 touch
ls | xargs tee
echo .env | xargs cat
echo /etc/passwd | xargs cat
echo README.md made | xargs cp
echo touch made | xargs env
echo 'touch made' | xargs -I{} bash -c '{}'
echo '-i s/a/b/ README.md' | xargs sed
echo '--pre=sh foo' | xargs rg
xargs -a list rm
xargs touch < README.md
sort README.md -o made
sort -o made README.md
sort -omade README.md
sort -uo made README.md
sort --output=made README.md
sort --out=made README.md
sort --compress-program='touch made' -S1b README.md
sort --compress-prog=sh README.md
sort --files0-from=/etc/passwd
sort -T /tmp README.md
sort --random-source=/etc/passwd -R README.md
uniq README.md made
uniq -c README.md made
xxd README.md made
xxd -r README.md made
shuf -o made README.md
shuf --output=made README.md
base64 README.md made
column -o made README.md /etc/passwd
split README.md
csplit README.md 1
tee made
tee -a made
echo x | tee made
cat README.md | tee made | wc -l
rg --pre sh foo
rg --pre=./x foo
rg --pre 'touch made' foo README.md
rg --hostname-bin ./x foo
rg -z foo
rg --search-zip foo
rg -f /etc/passwd README.md
rg --file=/etc/passwd README.md
rg --ignore-file=/etc/passwd foo
rg --hidden planted
rg -uu --hidden planted
rg -uuu planted
rg -L planted
rg --follow planted
rg planted .env
rg --files -g '.env' | xargs cat
grep planted .env
grep -r planted .openclaw
grep -f /etc/passwd README.md
grep --file=/etc/passwd README.md
grep -D read planted .
grep -d recurse planted .
grep x /etc/passwd
grep -rn x ..
egrep -f /etc/passwd README.md
jq -n env
jq -n '$ENV'
jq -n '$ENV.HOME'
jq -n '"\(env)"'
jq -n 'env | keys'
jq --rawfile a /etc/passwd -n '$a'
jq --slurpfile a .env -n '$a'
jq -f x.jq package.json
jq --from-file x.jq package.json
jq -L /etc 'import "a" as a; 1' package.json
jq 'include "a"; 1' package.json
jq -n 'import "config" as $x {search:"../../home/.docker"}; $x'
jq -Rs . .env
jq . /etc/passwd
tar -cf made README.md
tar -xf a.tar
tar xf a.tar
tar -tf a.tar --to-command=sh
tar -tf a.tar -I 'touch made'
tar -tf a.tar --use-compress-program=./x
tar -tf host:a.tar
tar --checkpoint=1 --checkpoint-action=exec=id -tf a.tar
tar -tf a.tar --rsh-command=./x
tar -tTf list a.tar
unzip a.zip
unzip -o a.zip
unzip -p a.zip x -d out
zip made README.md
gzip README.md
gunzip a.gz
tree -o made
tree -R -L 1 -H .
tree --fromfile /etc/passwd
less +'!touch made' README.md
less -o made README.md
less --lesskey-file=x README.md
more +'!id' README.md
man -P 'touch made' ls
file -C -m x
file -m x README.md
file -f /etc/passwd
file -z README.md
strings @list
date -s 2020-01-01
date --set=2020-01-01
date 010100002020
date -f /etc/passwd
date -r ../outside/secret.txt
hostname made
sleep infinity
seq inf
yes
cat /dev/zero
cat /dev/tcp/127.0.0.1/1
cat .env
cat ./.env
cat src/../.env
cat .e*
cat .[e]nv
cat .{env,x}
cat {README.md,.env}
cat $(echo .env)
cat "$(printf .env)"
cat $(ls -A | head -5)
cat $(ls -d .e*)
x=.env; cat $x
x=.e; cat ${"$"}{x}nv
a=(.env); cat "${"$"}{a[0]}"
for f in .e*; do cat $f; done
for f in .env README.md; do head -1 "$f"; done
for f in *.md; do rm "$f"; done
for f in *.md; do echo x > "$f"; done
for f in *.md; do sed -i s/a/b/ "$f"; done
for f in $(ls -A); do cat "$f"; done
ls -A | while read f; do cat "$f"; done
while read -r f; do touch "$f"; done < README.md
echo .env | while read -r f; do cat "$f"; done
while true; do touch made; done
until touch made; do :; done
case x in x) touch made;; esac
case x in *) cat .env;; esac
if true; then touch made; fi
if [ -f README.md ]; then rm README.md; fi
[ -f README.md ] && touch made
[[ -f README.md ]] && touch made
[[ 'a[$(touch made)]' -eq 0 ]] && ls
test -v 'a[$(touch made)]'
x='a[$(touch made)]'; echo $((x))
echo $((a[$(touch made)]))
echo ${"$"}{x:=$(touch made)}
echo ${"$"}{x:-$(touch made)}
echo ${"$"}{HOME/x/$(touch made)}
echo "$(touch made)"
echo $(cat .env)
echo $(<.env)
echo "$(< .env)"
x=$(cat .env); echo "$x"
x=$(head -1 .env) && echo $x
echo "$(git show HEAD:.env)"
printf '%s' "$(cat .env)"
printf "$(cat .env)"
printf -v PATH x
printf -v 'a[$(touch made)]' x
echo x > made
echo x >> README.md
echo x >| README.md
echo x &> made
ls 2> made
ls &> made
ls >& made
: > README.md
> made
cat <<E > made
cat <<'E' | sh
cat <<E | tee made
cat <<< x > made
exec > made; ls
exec 3<>/dev/tcp/127.0.0.1/1; cat <&3
{ ls; } > made
(ls) > made
(cd /; ls > x)
cd / && cat etc/passwd
cd .. && cat outside/secret.txt
cd src/out && ls
cd /etc; cat passwd
pushd /etc; cat passwd
ls /root
ls ~/.ssh
cat ~/.ssh/id_rsa
cat $HOME/.ssh/id_rsa
cat "$HOME"/.aws/credentials
cat /proc/self/environ
cat /proc/1/environ
cat /etc/shadow
cat /usr/share/../../etc/passwd
head -1 /usr/lib/../../etc/passwd
cat ../outside/secret.txt
cat src/link.txt
cat src/l*.txt
cat src/out/*
ps auxe
ps e
ps eww
ps -o environ
env touch made
env -S 'touch made'
env -i sh -c 'touch made'
env PATH=. ls
env LD_PRELOAD=./x.so ls
env BASH_ENV=./x bash -c ls
env GIT_DIR=evil git status
env GIT_EXTERNAL_DIFF=./x git diff
PATH=./bin:$PATH ls
PATH=bin; ls
export PATH=bin; ls
LD_PRELOAD=./x.so ls *.md
IFS=x ls
IFS=/; ls $x
BASH_ENV=./x bash -c 'ls'
GIT_PAGER='touch made' git log
GIT_EXTERNAL_DIFF=./x git diff
PAGER=./x git log
LESSOPEN='|touch made' less README.md
RIPGREP_CONFIG_PATH=./x rg foo
GREP_OPTIONS=-f/etc/passwd grep x README.md
NODE_OPTIONS='--require ./x.js' node --version
PYTHONSTARTUP=x python3 --version
TAR_OPTIONS=--to-command=sh tar -tf a.tar
git -c core.fsmonitor='touch made' status
git -c core.pager='touch made' log
git -c core.sshCommand=./x fetch
git -c alias.x='!touch made' x
git -c color.ui='always' -c core.fsmonitor=./x status
git -c diff.external=./x diff
git -c log.showSignature=true log
git --config-env=core.pager=X log
git --exec-path=. status
git --git-dir=evil status
git --work-tree=/ status
git -C /etc status
git -C evil status
cd evil && git status
git -p log
git --paginate log
git diff --output=made
git diff --outpu=made
git log --output=made
git show --output=made
git diff --ext-diff
git diff --textconv
git diff --no-index /etc/passwd README.md
git log -p --ext-diff
git log --format=%G?
git log --show-signature
git grep -O'touch made' foo
git grep -nO'touch made;:' foo
git grep --open-files-in-pager=./x foo
git grep --no-index planted
git grep -f /etc/passwd
git blame --contents /etc/passwd README.md
git show HEAD:.env
git cat-file -p HEAD:.env
git cat-file blob HEAD:.env
git cat-file --textconv HEAD:README.md
git cat-file --filters HEAD:README.md
git cat-file --batch < README.md
git archive HEAD
git bundle create made HEAD
git format-patch -1
git config core.fsmonitor ./x
git config --global alias.x '!touch made'
git config --get x --unset y
git config -e
git config --file /etc/passwd --list
git symbolic-ref HEAD refs/heads/x
git for-each-ref --format='%(contents)' --shell
git for-each-ref --exec=x
git worktree add ../x
git check-ignore --stdin
git branch x
git branch -D main
git branch --edit-description
git tag x
git tag -d v1
git stash
git stash drop
git checkout .
git restore README.md
git clean -n
git submodule foreach 'touch made'
git fetch
git ls-remote ext::./x
git remote -v update
git remote add x y
git reflog expire --all
git gc
git bisect run ./x
git rebase -x 'touch made' HEAD~1
git difftool -y
git help -w log
git hash-object -w README.md
git update-index --refresh
git log --cherry --output=made
git diff-tree -p --ext-diff HEAD
git rev-parse --sq-quote x --parseopt
node -p 'require("./x.js")'
node -p 'require("fs").readFileSync(".env","utf8")'
node -p "require('./package.json').constructor.constructor('return process')()"
node -p 'process.version; require("child_process").execSync("touch made")'
node -p 'process.binding("fs")'
node -e "require('./package.json'); require('fs').writeFileSync('made','')"
node -p "require('./../outside/x.json')"
node -p "require('/etc/x.json')"
node x.js
node --version -e 'x'
node -r ./x.js --version
node --require=./x.js -p 1
npm test
npm run build
npm install
npm exec touch made
npm ls --prefix /etc
npm config set x y
npm pkg set name=x
npx touch made
pip install x
pip list --log made
python3 -c 'open("made","w")'
python3 -m json.tool package.json made
python3 x.py
perl -e 'system("touch made")'
perl -ne 'print' .env
ruby -e 'x'
php -r 'x'
docker run x
docker ps --format '{{json .}}' -H tcp://x
docker -H tcp://x ps
docker --config . ps
make -n
make --version --eval='x:=$(shell touch made)'
cargo run
go run .
bash x.sh
bash -c 'touch made'
bash -c 'cat .env'
bash -lc 'cat .e*; ls'
bash -ic ls
bash -c 'ls' x
bash -O extglob -c 'ls'
bash --rcfile x -c ls
bash --init-file x
sh -c 'ls > made'
sh -c "$(cat README.md)"
sh < README.md
cat README.md | sh
cat README.md | bash -s
echo 'touch made' | sh
ls | sh
zsh -c ls
eval ls
eval 'touch made'
source README.md
. ./README.md
command touch made
command -p touch made
builtin eval 'touch made'
exec touch made
nohup touch made
nice touch made
time touch made
timeout 5 touch made
timeout -s KILL 5 rm README.md
stdbuf -oL touch made
stdbuf -oL cat .env
time -o made ls
\time -o made ls
sudo ls *.md
doas cat README.md
su -c ls
ssh host ls
watch ls
script -c ls made
busybox ls
flock x ls
strace ls
parallel cat ::: .env
coproc touch made
trap 'touch made' EXIT; ls *
alias ls='touch made'; ls *
ls() { touch made; }; ls *
function ls { touch made; }; ls
unset -f ls; ls() { touch made; }; ls
hash -p ./tool ls; ls
enable -f ./x.so x
set -o noclobber; echo x > made
shopt -s expand_aliases; alias a=touch; a made
./ls
bin/ls
./src/a.sh
$SHELL -c 'touch made'
"$(echo touch)" made
$(echo touch made)
t=touch; $t made
to''uch made
\touch made
t\ouch made
$'\x74ouch' made
{touch,made}
touch${"$"}{IFS}made
cat${"$"}{IFS}.env
cat<.env
cat<./.e*
diff <(cat .env) README.md
diff README.md <(touch made)
ls > >(tee made)
cat <(cat .env)
paste README.md .env
diff README.md .env
diff -r . ../outside
diff /etc/passwd README.md
cmp README.md /etc/passwd
comm README.md /etc/passwd
join README.md .env
md5sum -c README.md
sha256sum --check README.md
wc --files0-from=list
wc -l .env
du --files0-from=list
du -X /etc/passwd
head -1 .e*
tail -f README.md
tail -F README.md
tail --follow README.md
od .env
xxd .env
hexdump -C .env
strings .env
base64 .env
rev .env
tac .env
nl .env
cut -c1- .env
tr a b < .env
sort .env
fold .env
wc -c < ../outside/secret.txt
cat < /etc/passwd
cat < $(echo .env)
cat 0< .env
ls & touch made
ls && touch made
ls || touch made
ls; touch made
ls | touch made
! touch made
ls README.md; rm README.md
echo ok && rm -rf src
echo "done"; cat .env
git status && git commit -m x
git status; git push
date; curl https://example.com
curl -s https://example.com
wget https://example.com
nc -l 1
dd if=.env
cp README.md made
mv README.md made
ln -s /etc x
mkdir made
touch made
rm README.md
chmod 777 README.md
truncate -s 0 README.md
install README.md made
patch < README.md
rsync a b
kill 1
crontab -l
vim README.md
vi -c ':!id' README.md
emacs README.md
gdb
openssl enc -in README.md -out made
sqlite3 x.db .dump
dc -e '!touch made'
ed README.md
`
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (/^cat <<'?E\b/.test(line) ? `${"$"}{line}\ntouch made\nE` : line));
