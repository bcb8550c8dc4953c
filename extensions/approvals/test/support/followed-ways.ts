/** Commands that write files which programs follow, or run one of them, as an agent could issue them; one a line. */
export const FOLLOWED_WAYS: readonly string[] = `
echo x > AGENTS.md
echo x >> .git/config
printf '%s' x > .git/hooks/pre-commit
cat README.md > CLAUDE.md
tee .envrc < README.md
tee -a .bashrc < README.md
cp README.md AGENTS.md
cp -r src .vscode
cp src/a.ts .git/hooks/post-checkout
cp -t .husky src/a.ts
mv README.md CLAUDE.md
mv src .claude
ln -s ../README.md .git/hooks/pre-push
ln -sf README.md AGENTS.md
ln README.md .mcp.json
install -m 755 src/a.ts .git/hooks/pre-commit
install -D src/a.ts node_modules/.bin/tsc
rsync -a src/ .github/workflows/
rsync README.md GEMINI.md
dd if=README.md of=.git/config
dd of=node_modules/.bin/eslint if=src/a.ts
sed -i s/a/b/ AGENTS.md
sed -i.bak -e 1d .git/config
sed 'w .envrc' README.md
sed -n 's/x/y/w AGENTS.md' README.md
perl -pi -e s/a/b/ AGENTS.md
perl -e 'open F, ">", ".envrc"; print F "x"'
ruby -e 'File.write("AGENTS.md", "x")'
ruby -i -pe 'x' .envrc
python3 -c 'open("AGENTS.md", "w").write("x")'
python3 -c 'import pathlib; pathlib.Path(".git/hooks/pre-commit").write_text("x")'
python3 -c 'import shutil; shutil.copy("README.md", ".mcp.json")'
node -e 'require("fs").writeFileSync("AGENTS.md", "x")'
node -e 'fs.appendFileSync(".bashrc", "x")'
node -e 'fs.cpSync("src", ".claude")'
php -r 'file_put_contents(".envrc", "x");'
lua -e 'io.open("AGENTS.md", "w"):write("x")'
awk '{print > "AGENTS.md"}' README.md
awk '{print >> ".envrc"}' README.md
gawk -i inplace '{print}' AGENTS.md
touch .git/hooks/pre-commit
touch AGENTS.md
truncate -s 0 AGENTS.md
chmod +x .git/hooks/pre-commit
mkdir -p .git/hooks
mkdir .openclaw
mkfifo .envrc
rm AGENTS.md
rm -f .git/hooks/pre-commit
rm -r .github/workflows
rmdir .husky
unlink AGENTS.md
shred -u AGENTS.md
sort -o AGENTS.md README.md
shuf -o .envrc README.md
uniq README.md AGENTS.md
split -l 1 README.md .git/hooks/x
csplit -f .husky/x README.md 1
xxd -r src/a.ts .git/config
iconv -f utf8 -t latin1 -o AGENTS.md README.md
tree -o AGENTS.md
sponge AGENTS.md < README.md
patch AGENTS.md src/a.ts
patch -p1 -i src/a.ts
git apply src/a.ts
git am src/a.ts
git checkout main
git checkout -- AGENTS.md
git restore AGENTS.md
git restore .
git reset --hard
git stash pop
git pull
git merge main
git rebase main
git cherry-pick abc
git revert abc
git switch main
git clone https://example.com/x
git init sub
git init --template=src
git config core.fsmonitor ./x
git config --global alias.x '!sh'
git config --file .git/config a.b c
git config core.hooksPath src
git remote add origin https://example.com/x
git mv README.md AGENTS.md
git rm AGENTS.md
git submodule add https://example.com/x
git submodule update --init
git worktree add ../x
git lfs install
git lfs track '*.bin'
git hook run pre-commit
git archive -o AGENTS.md HEAD
git bundle create .envrc HEAD
git diff --output=AGENTS.md
git log -1 --format=%b --output=.envrc
git show --output=.git/config HEAD
git format-patch -o .git/hooks -1
git maintenance start
git sparse-checkout set src
git bisect start
git read-tree -u HEAD
git checkout-index -a -f
git interpret-trailers --in-place AGENTS.md
git merge-file AGENTS.md README.md README.md
git svn init https://example.com/x
git -C . config a.b c
git -C sub init
tar -xf a.tgz
tar xzf a.tgz -C .git
tar -cf .envrc src
unzip a.zip
unzip -o a.zip -d .vscode
cpio -idm
7z x a.7z
gunzip AGENTS.md.gz
ar x a.a
curl -o AGENTS.md https://example.com/x
curl -O https://example.com/AGENTS.md
curl https://example.com/x --output .envrc
wget https://example.com/AGENTS.md
wget -O .git/hooks/pre-commit https://example.com/x
wget -P .claude https://example.com/x
scp host:x AGENTS.md
rsync host:x/ .
aria2c -o AGENTS.md https://example.com/x
npm install x
npm i x
npm ci
npm add x
npm update
npm uninstall x
npm install -g x
npm link
npm rebuild
npm audit fix
npm --prefix sub install x
npm init -y
npm init vite
npm create vite
npm pkg set scripts.test=x
npm pkg delete scripts.test
npm set-script test x
npm config set a b
npm set a b
npm exec husky init
npx husky init
npx --yes lefthook install
pnpm add x
pnpm install
pnpm i
pnpm up
pnpm remove x
pnpm dlx husky init
pnpm config set a b
pnpm setup
pnpm init
pnpm create vite
pnpm link
pnpm rebuild
yarn
yarn install
yarn add x
yarn upgrade
yarn global add x
yarn set version stable
yarn plugin import x
yarn config set a b
yarn init -y
bun install
bun add x
bun remove x
bun create x
bun init
bun link
deno install x
pip install x
pip install -t .git/hooks x
pip3 install --target .venv x
pip uninstall x
pip config set a b
python3 -m venv .venv
pipx install x
pipenv install
poetry add x
poetry install
pdm add x
uv add x
uv sync
uv pip install x
uv tool install x
uv venv
virtualenv .venv
conda install x
conda init
cargo install x
cargo new x
cargo init
cargo generate x
go install x@latest
gem install x
bundle install
bundle config set a b
bundle add x
composer install
composer require x
make -f README.md
make -f src/a.ts all
make --eval 'all: ; touch x'
make --file=AGENTS.md
husky init
lefthook install
pre-commit install
overcommit --install
simple-git-hooks
direnv edit .
mktemp -p .git/hooks
vim -c 'w AGENTS.md' README.md
vim AGENTS.md
ex -s AGENTS.md
ed AGENTS.md
nano .bashrc
emacs --batch AGENTS.md
sqlite3 x.db '.output .envrc' 'select 1'
jq . package.json > .mcp.json
yq -i . .github/workflows/ci.yml
find . -name AGENTS.md -delete
find . -name '*.md' -exec cp {} .claude \\;
find src -fprint AGENTS.md
echo AGENTS.md | xargs touch
time -o AGENTS.md ls
script -c ls AGENTS.md
strace -o .envrc ls
env A=1 tee AGENTS.md
nohup cp README.md AGENTS.md
sudo tee .git/config
timeout 5 cp README.md .envrc
sh -c 'echo x > AGENTS.md'
bash -c "cp README.md .git/hooks/pre-commit"
cd .git && touch config
cd .git/hooks; cp ../../README.md pre-commit
(cd .git && echo x > config)
touch "$NAME"
cp README.md $FOLDER
openssl enc -out AGENTS.md -in README.md
gpg -o .envrc -d README.md
pandoc README.md -o AGENTS.md
tsc --outFile .git/hooks/pre-commit src/a.ts
esbuild src/a.ts --outfile=node_modules/.bin/x
prettier --write AGENTS.md
eslint --fix -o .envrc src
rg --files --pre=sh . > AGENTS.md
fd -x cp {} .git/hooks
less -o AGENTS.md README.md
socat - OPEN:AGENTS.md,creat
docker cp x:/y .git/hooks
gh api x > .mcp.json
`
  .trim()
  .split("\n");
