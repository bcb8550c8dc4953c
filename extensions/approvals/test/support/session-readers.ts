/**
 * Reading commands as coding agents issue them in a session, with many programs of Python, Perl and Ruby. They were written
 * before the readers of these languages.
 */
export const SESSION_READERS: readonly string[] = [
  ...String.raw`
cd src && rg -n "export (const|function)" --type ts | head -40
rg -l "import" src --glob '!*.test.ts' | sort | head
rg -c "" src | sort -t: -k2 -rn | head -5
git log --oneline -n 15 -- src/a.ts
git diff HEAD~1 --stat 2>/dev/null | tail -5
git show HEAD:package.json 2>/dev/null | head -20
git blame -L 1,3 README.md | cut -c1-60
ls -lt src | head -5 | awk '{print $9, $6, $7}'
awk 'NR>=1 && NR<=20 {printf "%4d  %s\n", NR, $0}' src/a.ts
awk -F: '/text/ {n++} END {print n}' README.md
awk 'length($0) > 100 {print FILENAME": "FNR}' src/a.ts README.md
sed -n '/^import/p' src/a.ts | sort | uniq -c
sed -n '10,$p' README.md
grep -rn --include=*.ts -E "async|await" src | cut -d: -f1 | sort | uniq -c | sort -rn
jq -r '.dependencies // {} | keys[]' package.json
jq '{name, version, scripts: (.scripts | keys)}' package.json
diff -u README.md src/a.ts | head -30
wc -c README.md package.json && du -sh src
find src -type f -name "*.ts" | while read -r f; do echo "$f $(wc -l < "$f")"; done
find . -name "*.ts" -not -path "*/node_modules/*" | xargs -I{} sh -c 'echo {}' 2>/dev/null | head -3
for f in README.md package.json; do [ -f "$f" ] && echo "$f ok" || echo "$f missing"; done
tree -L 2 -I node_modules
head -c 300 package.json | xxd | head -5
tail -n +5 README.md | head -20
file README.md src/a.ts
comm -23 <(ls src | sort) <(ls src/deep | sort)
tr -s ' ' '\n' < README.md | sort | uniq -c | sort -rn | head -10
test -d src && echo yes
date -u +%FT%TZ
env | grep -c PATH
python3 --version
node --version && npm --version
perl -v | head -2
perl -ne 'print if /export/' src/a.ts
perl -ne 'print "$.: $_" if /text/i' README.md
perl -ne 'print if 5..10' README.md
perl -ne 'print if $. >= 1 and $. <= 5' src/a.ts
perl -ne 'print if /BEGIN/../END/' README.md
perl -ne 'print "$1\n" if /"version":\s*"([^"]+)"/' package.json
perl -ne '$n++ if /^\s*\/\//; END { print "$n\n" }' src/a.ts
perl -ne '$h{$1}++ while /(\w+)/g; END { for (sort { $h{$b} <=> $h{$a} } keys %h) { print "$_ $h{$_}\n" } }' README.md
perl -lne 'print length' README.md
perl -lne 'print for /(\w+)@/g' README.md
perl -lane 'print $F[0]' README.md
perl -F: -lane 'print $F[1] if @F > 1' README.md
perl -pe 's/\t/    /g' README.md
perl -pe 's/\e\[[0-9;]*m//g' README.md | head
perl -pe 's/(\w+)/\U$1/' src/a.ts | head -3
perl -0777 -ne 'print scalar(() = /\n/g), "\n"' README.md
perl -0777 -ne 'while (/export\s+(\w+)/g) { print "$1\n" }' src/a.ts
perl -e 'print join(", ", map { $_ * 2 } 1..5), "\n"'
perl -e 'printf "%.2f\n", 10 / 3'
perl -e 'open my $f, "<", "README.md" or die $!; while (<$f>) { print if /text/ }'
git log --format=%s | perl -ne 'print "$.\t$_" if /fix/i'
cat src/a.ts | perl -pe 's/^\s+//'
perl -MList::Util=sum -lane 'push @a, $F[0]; END { print sum(@a) }' README.md
perl -MPOSIX=strftime -e 'print strftime("%Y-%m-%d", localtime), "\n"'
perl -MJSON::PP -0777 -ne '$d = decode_json($_); print join("\n", sort keys %$d)' package.json
ruby -e 'puts File.readlines("README.md").size'
ruby -e 'puts File.read("src/a.ts").scan(/export/).length'
ruby -ne 'print if /text/' README.md
ruby -ne 'puts "#{$.}: #{$_}" if $_ =~ /export/' src/a.ts
ruby -rjson -e 'puts JSON.parse(File.read("package.json"))["version"]'
ruby -rjson -e 'JSON.parse(File.read("package.json"))["scripts"].each { |k, v| puts "#{k}: #{v}" }'
ruby -e 'Dir.glob("src/*.ts").sort.each { |f| puts "#{f} #{File.size(f)}" }'
ruby -e 'puts (1..10).map { |x| x * x }.join(", ")'
ruby -e 'words = File.read("README.md").split; puts words.tally.sort_by { |w, n| -n }.first(5).inspect'
ruby -ryaml -e 'p YAML.safe_load(File.read("README.md"))'
`
    .split("\n")
    .filter((line) => line !== ""),
  `python3 - <<'PY'
import json
def walk(node, path=""):
    if isinstance(node, dict):
        for key, value in node.items():
            walk(value, f"{path}.{key}")
    elif isinstance(node, list):
        for i, item in enumerate(node):
            walk(item, f"{path}[{i}]")
    else:
        print(path, "=", node)
walk(json.load(open("package.json")))
PY`,
  `python3 - <<'EOF'
import re
from pathlib import Path
text = Path("src/a.ts").read_text()
def names(pattern):
    return sorted(set(re.findall(pattern, text)))
print(names(r"import\\s+(\\w+)"))
print(names(r"export\\s+(\\w+)"))
EOF`,
  `python3 -c "
i = 0
while i < 5:
    print(i, i ** 2)
    i += 1
"`,
  `python3 - <<'PY'
class Counter:
    def __init__(self):
        self.counts = {}
    def add(self, word):
        self.counts[word] = self.counts.get(word, 0) + 1
c = Counter()
for w in open("README.md").read().split():
    c.add(w)
print(sorted(c.counts.items())[:10])
PY`,
  `python3 - <<'PY'
from dataclasses import dataclass
@dataclass
class Entry:
    name: str
    size: int = 0
entries = [Entry("a", 1), Entry("b", 2)]
for e in sorted(entries, key=lambda e: -e.size):
    print(f"{e.name:<10} {e.size:>5}")
PY`,
  `python3 - <<'PY'
import ast
tree = ast.parse(open("src/a.ts").read())
for node in ast.walk(tree):
    if isinstance(node, ast.FunctionDef):
        print(node.lineno, node.name, [a.arg for a in node.args.args])
PY`,
  `python3 - <<'PY'
import os
total = 0
for root, dirs, files in os.walk("src"):
    dirs[:] = [d for d in dirs if d != "node_modules"]
    for name in files:
        path = os.path.join(root, name)
        size = os.path.getsize(path)
        total += size
        print(f"{size:>8} {path}")
print("total", total)
PY`,
  `python3 - <<'PY'
import sys
def main() -> int:
    with open("README.md", encoding="utf-8") as f:
        lines = f.readlines()
    for n, line in enumerate(lines, start=1):
        if line.startswith("#"):
            print(n, line.rstrip())
    return 0
if __name__ == "__main__":
    sys.exit(main())
PY`,
  `python3 -c "
def fib(n):
    a, b = 0, 1
    while a < n:
        print(a, end=' ')
        a, b = b, a + b
fib(100)
"`,
  `python3 - <<'PY'
import json, re
def load(path):
    try:
        with open("package.json") as f:
            return json.load(f)
    except (OSError, ValueError) as error:
        print("cannot read", error)
        return {}
data = load("package.json")
for name, spec in sorted(data.get("dependencies", {}).items()):
    major = re.match(r"[^0-9]*(\\d+)", spec)
    print(f"{name:30s} {spec:12s} {major.group(1) if major else '?'}")
PY`,
  `python3 - <<'PY'
from collections import defaultdict
groups = defaultdict(list)
for line in open("README.md"):
    words = line.split()
    if not words:
        continue
    groups[words[0]].append(len(words))
for key in sorted(groups, key=lambda k: len(groups[k]), reverse=True):
    print(key, groups[key])
PY`,
  `python3 -c "import json,sys; d=json.load(open('package.json')); [print(k, '->', v) for k, v in d.get('scripts', {}).items()]"`,
  `git log --format='%an' | python3 -c "
import sys, collections
c = collections.Counter(line.strip() for line in sys.stdin)
for name, n in c.most_common(5):
    print(n, name)
"`,
  `cat package.json | python3 -c "import sys, json; print(json.load(sys.stdin)['name'])"`,
  `python3 - <<'PY'
def chunks(items, size):
    for start in range(0, len(items), size):
        yield items[start:start + size]
lines = open("README.md").read().splitlines()
for part in chunks(lines, 3):
    print("|".join(part))
PY`,
  `python3 - <<'PY'
import tomllib
try:
    with open("README.md", "rb") as f:
        print(tomllib.load(f).get("project", {}).get("name"))
except tomllib.TOMLDecodeError as e:
    print("not toml:", e)
PY`,
  `node -e "
const fs = require('fs');
function count(text, word) { return text.split(word).length - 1; }
console.log(count(fs.readFileSync('src/a.ts', 'utf8'), 'export'));
"`,
  `node -e "const t = require('fs').readFileSync('README.md','utf8'); for (let i = 0; i < 3; i++) console.log(t.split('\\n')[i])"`,
  `perl -ne '
  if (/^#+\\s+(.*)/) {
    my $title = $1;
    $title =~ s/\\s+$//;
    printf "%4d %s\\n", $., $title;
  }
' README.md`,
  `perl -e '
use strict;
use warnings;
my %seen;
open(my $fh, "<", "README.md") or die "no file: $!";
while (my $line = <$fh>) {
  chomp $line;
  next if $line =~ /^\\s*$/;
  $seen{$line}++;
}
close($fh);
foreach my $key (sort keys %seen) {
  print "$key\\t$seen{$key}\\n" if $seen{$key} > 0;
}
'`,
  `ruby -e '
def headings(path)
  File.readlines("README.md").select { |line| line.start_with?("#") }
end
headings("README.md").each_with_index do |line, i|
  puts "#{i + 1}. #{line.chomp}"
end
'`,
  `ruby -e '
counts = Hash.new(0)
File.foreach("README.md") do |line|
  next if line.strip.empty?
  line.split.each { |word| counts[word.downcase] += 1 }
end
counts.sort_by { |word, n| [-n, word] }.first(10).each do |word, n|
  puts "#{word} #{n}"
end
'`,
];
