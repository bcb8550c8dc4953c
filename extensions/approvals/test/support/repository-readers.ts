/**
 * Commands with which coding agents read this repository, written before the tables were compared with them.
 * An empty line separates them.
 */
export const REPOSITORY_READERS: readonly string[] = String.raw`
git log --oneline -n 20 -- packages/safety/src

git log --since="2 weeks ago" --author=someone --format='%h %an %ar %s' | head -30

git show --stat HEAD~2

git show HEAD:package.json | jq '.devDependencies | keys'

git diff HEAD~3..HEAD --stat -- '*.ts'

git diff --name-status main... | grep '^A'

git blame -L 10,30 package.json

git rev-list --count HEAD

git branch -a --sort=-committerdate | head

git ls-tree -r --name-only HEAD packages/safety/src | wc -l

git shortlog -sn --no-merges | head -5

git stash list

git remote -v

git status --porcelain=v1 -b

git log -S 'createCommandEvaluator' --oneline -- extensions/approvals

git log -1 --format=%cd --date=iso -- README.md

git describe --tags --always --dirty

git merge-base HEAD HEAD~5

git diff --cached --quiet && echo clean || echo dirty

git for-each-ref --format='%(refname:short) %(committerdate:relative)' refs/heads

git grep -nE 'TODO|FIXME' -- '*.ts' | wc -l

git ls-files --others --exclude-standard | head

git worktree list

git cat-file -p HEAD | head -5

rg -n "export (class|function) \w+" packages/safety/src --type ts | head -40

rg -l 'createHost' -g '!**/test/**' packages

rg -c import packages/safety/src/index.ts

rg --files -g '*.json' -g '!node_modules' | head -20

rg -U 'import \{[^}]*join' packages/safety/src -A2

rg -o "SAFE-[0-9]+" docs/requirements/safety.md | sort -u | tail -3

rg --no-heading --line-number --color never 'ulimit' packages

rg -tjson '"version"' packages/*/package.json

grep -rnw 'MOST_PROCESSES' packages/core-tools/src | cut -d: -f1,2

grep -c '' $(find packages/safety/src/rules -name '*.ts' | head -5)

grep -L "describe(" packages/safety/test/log/*.ts

find packages -maxdepth 2 -name package.json -not -path '*/node_modules/*' -print0 | xargs -0 jq -r '.name + " " + .version'

find . -name '*.test.ts' -newer package.json -not -path '*/node_modules/*' | wc -l

find packages -type d -name src -prune -o -name '*.md' -print | sort | head -20

find . -path ./node_modules -prune -o -size +100k -type f -printf '%s %p\n' | sort -rn | head -10

find packages/safety/src -name '*.ts' -exec wc -l {} + | sort -rn | sed -n '1,10p'

ls -lahS packages/safety/src | head -5

ls -d packages/*/ | xargs -n1 basename

sed -n '/^export/p' packages/safety/src/index.ts | wc -l

sed -E 's/^export \{ ?//; s/ \}.*//' packages/safety/src/index.ts | tr ',' '\n' | sort | head

awk -F'"' '/"version"/{print $4; exit}' package.json

awk 'length > 120 {print FILENAME": "FNR}' packages/safety/src/*.ts

awk 'BEGIN{n=0} /it\(/{n++} END{print n}' packages/safety/test/log/*.ts

jq -r '.scripts | to_entries[] | "\(.key)\t\(.value)"' package.json | column -t -s $'\t'

jq '.compilerOptions.paths' tsconfig.base.json

jq -r 'paths | join(".")' package.json | head -20

cat package.json | jq '.dependencies + .devDependencies | length'

head -n 40 CHANGELOG.md | tail -20

tail -n +10 README.md | head -n 5

wc -c docs/*.md | sort -n | tail -4

diff <(git show HEAD~1:package.json) package.json

diff -u packages/safety/package.json packages/models/package.json | head -40

sort -t: -k2 -n <(grep -c . docs/operate/*.md) | tail -3

for p in packages/*; do printf '%s ' "$p"; find "$p/src" -name '*.ts' | wc -l; done

for f in $(git diff --name-only HEAD~2); do test -f "$f" && wc -l "$f"; done

while IFS=: read -r file line; do echo "$file at $line"; done < <(grep -n "ulimit" -r packages/core-tools/src | cut -d: -f1,2)

if [ -f pnpm-lock.yaml ]; then echo pnpm; elif [ -f yarn.lock ]; then echo yarn; else echo npm; fi

[[ -d packages/safety ]] && ls packages/safety | wc -l

cd packages/safety && git log --oneline -3 -- . && ls

pushd packages/safety >/dev/null; ls src | head -3; popd >/dev/null

(cd packages/models && wc -l src/index.ts)

node -e "const p=require('./package.json'); console.log(p.name, Object.keys(p.scripts).length)"

node -p "require('./packages/safety/package.json').version"

node --check scripts/reference.mjs

python3 - <<'PY'
import json
d = json.load(open('package.json'))
for k, v in d['scripts'].items():
    print(k, v)
PY

python3 -c "import os; print([d for d in os.listdir('packages') if os.path.isdir('packages/'+d)])"

python3 -c "
import re
text = open('docs/requirements/safety.md').read()
print(len(re.findall(r'SAFE-\d+', text)))
"

perl -ne 'print "$.: $_" if /ulimit/' packages/core-tools/src/process/bubblewrap/limits.ts

perl -0777 -ne 'print scalar(() = /export/g), "\n"' packages/safety/src/index.ts

env | grep -i proxy

echo "PATH=$PATH"; printenv HOME

ps -eo pid,ppid,pcpu,comm --sort=-pcpu | head -8

free -m | awk '/Mem/{print $3"/"$2}'

df -h . | tail -1

nproc; cat /proc/cpuinfo | grep 'model name' | head -1

date -u +%FT%TZ

du -sh packages/* 2>/dev/null | sort -h | tail -5

md5sum pnpm-lock.yaml package.json

stat -c '%a %U %s %n' README.md

xxd -l 64 docs/pictures/plugin.svg

od -c README.md | head -3

base64 README.md | head -2

tar -tzf nothing.tgz | head

unzip -l nothing.zip

cut -d' ' -f1 README.md | sort | uniq -c | sort -rn | head

comm -12 <(ls packages/safety/src) <(ls packages/safety/test)

paste -d, <(ls packages | head -3) <(ls extensions | head -3)

tr -s ' ' '\n' < README.md | sort | uniq -d | head

nl -ba package.json | sed -n '5,15p'

basename "$(git rev-parse --show-toplevel)"

realpath packages/safety/src/index.ts

echo "$(git rev-parse --abbrev-ref HEAD) $(git rev-parse --short HEAD)"

id -un && groups

uptime -p

locale | head -2

timeout 5 tail -n 20 CHANGELOG.md

time wc -l README.md
`
  .trim()
  .split("\n\n");
