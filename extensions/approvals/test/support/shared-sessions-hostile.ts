/** Commands in the style of {@link SHARED_SESSION_READERS} that change or show something, or run code; one a line. */
export const SHARED_SESSION_HOSTILE: readonly string[] = String.raw`
git log --oneline --output="$(echo made)"
git log -1 --format=%b --outp=made
git log --grep=x -i --output=made
git log -iG --output=made README.md
git rev-list -EF --output=made HEAD
git log -iO'touch made' -1
git log --ext-diff -p
git log -p --textconv -- .env
git rev-list --count HEAD ^main --output=made
git rev-list ^HEAD --exec=made
git log ^--output=made
git show ^HEAD:.env
git show HEAD:.env
git cat-file -p HEAD:.env
git cat-file --filters HEAD:README.md
git stash show -p --output=made
git stash push -m list
git blame -L 1,2 --contents .env README.md
git for-each-ref --format='%(contents)' --shell --exec=x
git config --get user.name && git config user.name x
git config alias.log '!touch made'
git shortlog -sn --output=made
git grep -O'touch made' text
git grep --open-files-in-pager=sh text
git diff --no-index .env README.md
git diff --ext-diff HEAD
git ls-files --exclude-from=.env -o
git status --porcelain; git add -A
git tag -l v1 && git tag v1
git reflog expire --all
git symbolic-ref HEAD refs/heads/made
git -c core.fsmonitor='touch made' status
git -c core.pager='touch made' log
GIT_EXTERNAL_DIFF='touch made' git diff
GIT_PAGER='touch made' git -p log
jq -n '$ENV'
jq -Rs . .env
jq --rawfile x .env -n '$x'
jq --slurpfile x ../../etc/passwd -n '$x'
jq -L . -n 'import "x" as x; x::y'
jq -r '.scripts.test' package.json | sh
jq -r '.name' package.json > made
jq . package.json | tee made
awk 'BEGIN{system("touch made")}'
awk '{print $0 > "made"}' README.md
awk '{print | "sh"}' README.md
awk 'BEGIN{while((getline l < ".env")>0) print l}'
awk -f src/a.ts README.md
awk 'BEGIN{"touch made" | getline}'
awk -l filefuncs 'BEGIN{chdir("/")}'
awk -v x="$(cat .env)" 'BEGIN{print x}'
sed -n "$(echo '1w made')" README.md
sed -n '1{w made' README.md
sed 's/a/touch made/e' README.md
sed -i "$(echo 1d)" README.md
sed -n "$(grep -n text README.md | cut -d: -f1)w made" README.md
sed --in-place=.bak 1d README.md
sed -s -f src/a.ts README.md
rg --pre=sh text
rg -z --pre "$(echo sh)" text README.md
rg --hostname-bin=./tool text
rg text --search-zip -g '.env'
rg -uuu text
rg --hidden TOKEN
rg -n text -- .env
find . -name '*.ts' -exec sh -c 'touch made' \;
find . -fls made
find . -name README.md -delete
find . -name .env -exec head -1 {} +
find src -name '*.ts' -ok touch made \;
find . -type f -print0 | xargs -0 rm
find . -name '*.md' | xargs -I{} mv {} made
find src -type f | while read -r f; do rm "$f"; done
for f in src/*.ts; do cp "$f" made; done
for f in .e*; do cat "$f"; done
for f in $(echo .e,nv | tr -d ,); do cat "$f"; done
cat $(echo .e:nv | tr -d :)
cat $(echo x:.env | cut -d: -f2)
cat "$(echo .env | tr x y)"
head -1 $(printf '.%s' env)
$(echo rm:README.md | tr : ' ')
$(echo touch,made | tr , ' ')
rg $(echo x:--pre=sh | cut -d: -f2) text
rg $(echo --pre=sh:text | tr : ' ')
tee $(echo x:made | cut -d: -f2) < README.md
sort $(echo -o:made | tr : ' ') README.md
find . $(echo :-delete | tr -d :)
git log $(echo x:--output=made | cut -d: -f2)
eval "$(grep -n text README.md | cut -d: -f2)"
bash -c "$(grep -n text README.md | cut -d: -f2)"
source <(grep text README.md)
while read -r l; do eval "$l"; done < README.md
while :; do touch made; break; done
i=0; while [ $i -lt 2 ]; do touch made$i; i=$((i+1)); done
ls | xargs -I{} sh -c 'touch made'
ls -1 | xargs -n1 touch
echo made | xargs -n1 mkdir
printf '%s\n' .env | xargs cat
printf 'made' | xargs -I{} cp README.md {}
python3 -c "open('made','w').write('x')"
python3 -c "import os; os.system('touch made')"
python3 -c "print(open('.env').read())"
python3 -c "import subprocess; subprocess.run(['touch','made'])"
python3 -c "__import__('pathlib').Path('made').touch()"
python3 -c "from pathlib import Path; Path('README.md').unlink()"
python3 -c "import json; json.dump({}, open('made','w'))"
python3 -m http.server
python3 -m json.tool package.json made
node -e "require('fs').writeFileSync('made','x')"
node -e "require('child_process').execSync('touch made')"
node -p "require('fs').readFileSync('.env','utf8')"
node -p "process.env"
docker ps --format '{{json .}}' && docker rm x
docker ps --format {{.Names}} -H tcp://x
docker -c other ps
docker inspect web
docker inspect --format {{.Config.Env}} web
docker inspect --format {{json .Config}} web
docker inspect --format {{range.Config.Env}}{{.}}{{end}} web
docker inspect -f {{.HostConfig.Binds}} web
docker images --filter x=y --config=.
docker run --rm -v "$PWD":/x alpine touch /x/made
docker exec web env
docker cp web:/x made
docker logs web > made
docker compose config
docker compose exec web env
docker volume ls -q | xargs docker volume rm
docker context use x
docker context export x
kubectl config view --raw
kubectl config use-context x
kubectl config set-context x
kubectl config current-context --kubeconfig=.env
kubectl get secret x -o yaml
kubectl exec web -- env
kubectl apply -f README.md
kubectl cp web:/x made
gh pr merge 12
gh pr checkout 12
gh api -X DELETE repos/o/r
gh auth token
gh repo clone o/r
diff README.md .env
diff -r . ../..
comm -23 .env README.md
column -t -s= .env
stat -c '%n' ../../*; touch made
grep -f .env README.md
wc -l $(git ls-files) .env
wc --files0-from=.env
tree -o made
tree -a --fromfile .env
cat -A .env
xxd -r README.md made
head -c 100 .env | xxd
command -v rg; rm README.md
tail -f README.md
du --files0-from=.env
date -s 2020-01-01
ls > made
: > made
`
  .trim()
  .split("\n");
