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
`
  .split("\n")
  .filter((line) => line !== "");
