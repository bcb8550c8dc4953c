import { describe, expect, it } from "vitest";
import { parseCommand } from "../../../src/shell/parsing/parser.js";

async function writesOf(source: string) {
  const { commands } = await parseCommand(source);
  return commands.flatMap(({ writes }) => writes);
}

/** Returns the paths that a command certainly writes, `*` for files that are known only at run time. */
async function namesOf(source: string): Promise<string[]> {
  const written = (await writesOf(source)).filter(({ isGuess }) => isGuess !== true);
  return written.flatMap(({ path, sources = [] }) => [
    path ?? "*",
    ...sources.map((name) => `${path ?? "*"}<-${name}`),
  ]);
}

describe("paths that a command writes", () => {
  it.each([
    ["cp a b", "b b<-a"],
    ["cp -r a b dir/", "dir/ dir/<-a dir/<-b"],
    ["cp -t dir a", "dir dir<-a"],
    ["cp --target-directory=dir a", "dir dir<-a"],
    ["cp -Tr a b", "b"],
    ["mv -f a b", "b b<-a a"],
    ["ln -sf ../x b", "b b<-../x ../x"],
    ["ln -s x/y", ". .<-x/y"],
    ["install -m 755 a b", "b b<-a"],
    ["install -d x y", "x y"],
    ["gcp a b", "b b<-a"],
    ["sudo -u root env A=1 tee -a x y", "x y"],
    ["dd if=a of=b bs=1k", "b"],
    ["sed -i.bak s/a/b/ x y", "x y"],
    ["sed -ni -e p -- x", "x"],
    ["sed --in-place 's/a/b/' x", "x"],
    ["sed -n 1,5p x", ""],
    ["perl -pi -e 's/a/b/' x", "x"],
    ["perl -i.bak -ne print x y", "x y"],
    ["gawk -i inplace '{print}' x", "x"],
    ["rsync -a src/ dst", "dst dst<-src/"],
    ["rsync -a host:src dst", "*"],
    ["rsync -a src host:dst", ""],
    ["scp host:x/y z", "*"],
    ["tar xzf a.tgz", "*"],
    ["tar --extract --file=a.tgz -C sub", "*"],
    ["tar -czf out.tgz src", "out.tgz"],
    ["tar -tf a.tgz", ""],
    ["tar -xOf a.tgz x", ""],
    ["unzip -o a.zip -d x", "*"],
    ["unzip -l a.zip", ""],
    ["cpio -idm", "*"],
    ["7z x a.7z", "*"],
    ["gunzip x.gz", "x.gz x"],
    ["gunzip -c x.gz", ""],
    ["patch -p1 -i a.diff", "*"],
    ["patch x a.diff", "x"],
    ["patch --dry-run -p1", ""],
    ["curl -sSL -o x https://example.com/y", "x"],
    ["curl -sSLo x https://example.com/y", "x"],
    ["curl --output-dir d --output x https://example.com/y", "d/x"],
    ["curl -O https://example.com/d/y?z", "y"],
    ["curl -OJ https://example.com/d/y", "*"],
    ["curl https://example.com/y", ""],
    ["wget https://example.com/d/y", "y"],
    ["wget -P sub https://example.com/y", "sub/y"],
    ["wget -qO x https://example.com/y", "x"],
    ["wget -qO- https://example.com/y", ""],
    ["wget -r https://example.com/", "*"],
    ["truncate -s 0 x", "x"],
    ["touch -d yesterday x y", "x y"],
    ["sort -o x y", "x"],
    ["uniq x y", "y"],
    ["uniq x", ""],
    ["find . -name a -fprint x", "x"],
    ["find . -name a -exec cp b {} \\;", "* *<-b"],
    ["/usr/bin/time -o x true", "x"],
    ["strace -f -o x true", "x"],
    ["git checkout -- x y", "x y"],
    ["git checkout main", "*"],
    ["git checkout -b new", ""],
    ["git restore --source=HEAD~1 x", "x"],
    ["git restore --staged x", ""],
    ["git restore .", "*"],
    ["git -C sub mv a b", "sub/b sub/b<-sub/a"],
    ["git stash pop", "*"],
    ["git stash list", ""],
    ["git pull --rebase", "*"],
    ["git apply a.diff", "*"],
    ["git reset --hard HEAD", "*"],
    ["git reset HEAD x", ""],
    ["git config core.fsmonitor ./x", ".git/config"],
    ["git config --global alias.x y", "~/.gitconfig"],
    ["git config -f x a.b c", "x"],
    ["git config --get a.b", ""],
    ["git config --list", ""],
    ["git init sub", "sub/.git"],
    ["git remote add origin x", ".git/config"],
    ["git remote -v", ""],
    ["git log --output=x", "x"],
    ["git add x", ""],
    ["git commit -m x", ""],
    ["git status", ""],
    ["npm config set a b", "~/.npmrc"],
    ["env -C sub tee x", "*"],
    ["env -C sub tee /x", "/x"],
    ["ls | xargs touch", "*"],
    ["cat x", ""],
    ["grep -r AGENTS.md .", ""],
  ])("[APPR-600] are read from its words: %s", async (source, expected) => {
    expect((await namesOf(source)).join(" ")).toBe(expected);
  });

  it.each([
    ["prettier --write x.md", "x.md"],
    ["mytool --out=x", "x"],
    ["mytool -ox", "x"],
    ["node build.mjs x", "x"],
    ["sed 's/a/b/w x' y", "x"],
    [`python3 -c "open('x', 'w').write('')"`, "x"],
    [`awk '{ print > "x" }' y`, "x"],
  ])("[APPR-600] are guessed for other programs: %s", async (source, expected) => {
    const guessed = (await writesOf(source)).filter(({ isGuess }) => isGuess);
    expect(guessed.map(({ path }) => path)).toContain(expected);
  });

  it.each([
    ["cat x"],
    ["node x"],
    ["python3 x.py"],
    [`python3 -c "print(open('x').read())"`],
    ["bash x"],
    ["source x"],
    ["git add x"],
    ["ls x | head -3 x"],
  ])("[APPR-600] do not include what it only reads or runs: %s", async (source) => {
    expect(await writesOf(source)).toEqual([]);
  });
});
