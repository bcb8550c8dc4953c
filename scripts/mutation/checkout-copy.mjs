import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Not loaded by the tests of packages, so that a change there leaves results valid. */
const NOT_TESTED = /^(?:docs|scripts|\.changeset|\.ci)\/|\.md$/;

/**
 * Copies the files of a checkout, committed or not, to a temporary folder, with the built packages and the links
 * between packages. Third-party packages are shared with the checkout.
 * @param root - the checkout
 */
export function copyCheckout(root) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-mutants-")));
  const digest = createHash("sha256");
  const listed = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split("\0").sort()) {
    const from = join(root, file);
    // A file that was deleted is listed until that is committed.
    if (file === "" || !existsSync(from) || !lstatSync(from).isFile()) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(from, join(folder, file));
    if (!NOT_TESTED.test(file)) digest.update(`${file}\0`).update(readFileSync(from)).update("\0");
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // The links are relative, so that those to packages of the workspace lead to the copies.
  for (const part of globSync("{packages,extensions,apps}/*/{node_modules,dist}", { cwd: root })) {
    cpSync(join(root, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  return {
    folder,
    /** SHA-256 of the files that the results depend on, in hexadecimal. */
    digest: digest.digest("hex"),
    /** Changes a file, and returns a function that undoes that. The checkout may change in the meantime. */
    change(file, edit) {
      const path = join(folder, file);
      const original = readFileSync(path, "utf8");
      writeFileSync(path, edit(original));
      return () => writeFileSync(path, original);
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
