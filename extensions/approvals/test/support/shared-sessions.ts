/** Reading commands as coding agents issue them in sessions with repositories, containers and services; one a line. */
export const SHARED_SESSION_READERS: readonly string[] = String.raw`
git log --oneline -n 15 --author="$(git config user.name)"
git log --format='%h %an %ar %s' --since='2 weeks ago' -- src | head -30
git shortlog -sn --all | head
git diff --stat HEAD~3..HEAD -- '*.ts' | tail -5
git show --stat --oneline HEAD | sed -n '1,20p'
git ls-files '*.ts' | xargs wc -l | sort -rn | head -15
git ls-files | sed 's|/.*||' | sort | uniq -c | sort -rn
git log --all --oneline --grep='fix' -i | wc -l
git blame -L 1,10 --date=short README.md
git rev-list --count HEAD ^main 2>/dev/null || echo 0
git for-each-ref --sort=-committerdate --format='%(refname:short) %(committerdate:relative)' refs/heads | head -5
git status --porcelain=v1 | awk '{print $1}' | sort | uniq -c
git diff --name-only main...HEAD | grep -E '\.(ts|tsx)$' || true
git log -1 --format=%cd --date=iso
git stash list && git stash show -p stash@{0} | head -50
git tag --sort=-v:refname | head -3
git grep -nE 'TODO|FIXME' -- '*.ts' | cut -c1-120 | head -20
git cat-file -p HEAD | head -5
git merge-base HEAD main | cut -c1-8
git log --numstat --pretty=format: -- src | awk 'NF==3{a+=$1; d+=$2} END{print a, d}'
jq -r '.scripts | to_entries[] | "\(.key)\t\(.value)"' package.json
jq -r '.dependencies // {} | keys | length' package.json
jq '.devDependencies | with_entries(select(.key | test("eslint")))' package.json
jq -c '{name, version, engines}' package.json
jq -e '.private == true' package.json >/dev/null && echo private || echo public
cat package.json | jq '.workspaces? // empty'
jq -s 'map(.name)' package.json package.json
jq --arg k test '.scripts[$k]' package.json
jq -r '.scripts | keys[]' package.json | grep -i test
find . -name package.json -not -path '*/node_modules/*' -exec jq -r .name {} \;
awk -F: '{print $1}' README.md | sort -u | head
awk 'length > 100 {print FILENAME": "FNR}' src/*.ts
awk '/^export/{n++} END{print n+0}' src/a.ts
awk 'NR>=5 && NR<=20' README.md
awk -v pat=text '$0 ~ pat {print NR": "$0}' README.md
awk 'BEGIN{FS=","; OFS="\t"} {print $1, $NF}' README.md
awk '{c[$1]++} END{for (k in c) printf "%5d %s\n", c[k], k}' README.md | sort -rn | head -5
sed -n '/^## /p' README.md | sed 's/^## //' | nl
sed -e 's/#.*//' -e '/^\s*$/d' README.md | head -20
sed -n "$(grep -n text README.md | head -1 | cut -d: -f1),+5p" README.md
sed = README.md | sed 'N; s/\n/\t/' | head -5
rg -n --no-heading 'import .* from' src | cut -d: -f1 | sort | uniq -c | sort -nr | head
rg -c 'export' --sort path src
rg -l --type ts 'useState' | wc -l
rg -U --multiline-dotall 'export .*?\{' src -o | head -3
rg -n 'function (\w+)' -o -r '$1' src | sort -t: -k3
rg --files -g '*.ts' -g '!*.test.ts' | sed 's|[^/]*$||' | sort | uniq -c
rg -n -A3 -B1 'text' README.md | head -40
rg --json text README.md | jq -r 'select(.type=="match") | .data.line_number'
rg -q text README.md && echo found || echo 'not found'
find src -type f -name '*.ts' -size +1k -printf '%s %p\n' | sort -rn | head
find . -maxdepth 2 -type d -not -path './.git*' | sort
find . -newer package.json -type f -not -path './.git/*' | head -10
find src -name '*.ts' -print0 | xargs -0 grep -lZ export | tr '\0' '\n'
find . -type f -name '*.ts' | sed 's/.*\.//' | sort | uniq -c
find . -name '*.ts' -mmin -60 -ls | awk '{print $11, $7}'
find src -type f | while IFS= read -r f; do printf '%s %s\n' "$(wc -l < "$f")" "$f"; done | sort -rn
find . -iname '*readme*' -exec head -n 3 {} +
find . -type f -empty -not -path './.git/*' | wc -l
for d in src src/deep; do printf '%-10s %s\n' "$d" "$(ls "$d" | wc -l)"; done
for f in src/*.ts; do grep -q export "$f" || echo "no export: $f"; done
for n in 1 2 3; do sed -n "$n"p README.md; done
for k in name version; do echo "$k=$(jq -r ".$k" package.json)"; done
for f in README.md package.json; do [ -s "$f" ] && echo "$f: $(wc -c < "$f") bytes"; done
while read -r a b; do echo "$b $a"; done < README.md
i=0; while [ $i -lt 3 ]; do echo "$i"; i=$((i+1)); done
ls src/*.ts | xargs -n1 basename | sed 's/\.ts$//'
ls -la --time-style=+%F | awk 'NR>1{print $6, $7}'
ls -1 | xargs -I{} sh -c 'printf "%s\n" "{}"'
echo src/*.ts | tr ' ' '\n' | xargs -n1 dirname | sort -u
printf '%s\n' src/*.ts | xargs md5sum | sort | awk '{print $1}' | uniq -d
python3 -c "import json; d=json.load(open('package.json')); print(d.get('name'), len(d))"
python3 -c "import re,sys; print(len(re.findall(r'\w+', open('README.md').read())))"
python3 -c "print('\n'.join(sorted(set(open('README.md').read().split()))))"
python3 -c "import ast; t=ast.parse('x=1'); print([type(n).__name__ for n in ast.walk(t)])"
python3 -c "from pathlib import Path; print(sum(1 for p in Path('src').rglob('*.ts')))"
python3 -c "import sys; print(sys.version_info[:2])"
cat package.json | python3 -c "import json,sys; print(json.load(sys.stdin)['name'])"
python3 -m json.tool package.json | head -20
node -p "Object.keys(require('./package.json').scripts || {}).join(' ')"
node -e "console.log(require('fs').readdirSync('src').filter(f => f.endsWith('.ts')).length)"
docker ps --format '{{.Names}}\t{{.Status}}'
docker images --format '{{.Repository}}:{{.Tag}}' | sort | head
docker compose ps --format json | jq -r '.Name'
docker inspect web --format '{{.State.Status}}'
docker logs --tail 50 web 2>&1 | grep -i error | tail -5
docker compose config --services
kubectl get pods -n default -o wide | grep -v Running
kubectl get deploy web -o jsonpath='{.spec.replicas}'
kubectl describe pod web-0 | sed -n '/Events/,$p'
kubectl logs deploy/web --tail=100 | grep -c ERROR
kubectl config current-context
gh pr view 12 --json title,body,files | jq -r '.files[].path'
gh pr list --state open --limit 10 --json number,title --jq '.[] | "\(.number) \(.title)"'
gh issue view 34 --comments | head -60
gh run list --limit 5 --json status,conclusion,name
gh api repos/{owner}/{repo}/pulls/12/files --jq '.[].filename'
gh pr diff 12 | grep '^+++' | cut -c7-
diff <(sort README.md) <(sort package.json) | head
diff -rq src src/deep | grep '^Only' | head
comm -23 <(ls src | sort) <(ls src/deep | sort)
tail -n +2 README.md | cut -d' ' -f1 | paste -sd, -
column -t -s, README.md | head -5
test -d node_modules && du -sh node_modules | cut -f1 || echo 'not installed'
stat -c '%n %s %y' README.md package.json | sort -k2n
grep -rn --include='*.ts' -E "from '\.\./" src | awk -F: '{print $1}' | sort | uniq -c | sort -rn
grep -oP '(?<=")[^"]+(?=":)' package.json | sort -u
grep -rhoE "process\.env\.[A-Z_]+" src | sort | uniq -c
wc -l $(git ls-files '*.ts') | tail -1
head -c 300 README.md | xxd | head -3
tree -L 2 -I node_modules --dirsfirst | head -40
cat -A README.md | grep -n '\^M' | head -3
command -v rg jq node python3 | xargs -n1 basename
`
  .trim()
  .split("\n");
