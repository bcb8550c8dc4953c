import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defined, Mutex, nearestName } from "@openclaw/foundation";
import {
  digestOfInventory,
  executables,
  type Marketplaces,
  readInventory,
  scanPlugin,
} from "@openclaw/plugin-install";
import type { NetworkClient, OutputOptions } from "@openclaw/safety";
import { SkillInstallRefusedError, SkillNotInstalledError } from "../errors.js";
import type { StateFolder } from "../state/folder.js";
import {
  installedSkillFolder,
  readSkillRecords,
  type SkillRecord,
  writeSkillRecords,
} from "./records.js";
import {
  type SourceSkill,
  type SourceSkills,
  type StagedSkills,
  skillsIn,
  stageSkills,
} from "./source.js";

/** Dependencies of {@link InstalledSkills}. */
export interface InstalledSkillDependencies {
  readonly state: StateFolder;
  readonly marketplaces: Marketplaces;
  readonly network: NetworkClient;
  /** Returns the current rules with which descriptions are checked. */
  safety(): OutputOptions;
  now(): number;
}

/** Options of an installation. */
export interface SkillInstallOptions {
  /** Base folder of relative paths. */
  readonly cwd: string;
  /** Names of the skills; the only skill of the source when empty. */
  readonly names: readonly string[];
  /** Installs every skill of the source. */
  readonly all: boolean;
  /** Installs despite critical findings of the scan. */
  readonly force: boolean;
}

/** Skill after an installation or update. */
export interface InstalledSkill extends SkillRecord {
  readonly outcome: "installed" | "updated" | "unchanged";
  /** Files that a program can execute; the agent runs them under policy and approval. */
  readonly programs: readonly string[];
  /** Findings of the scan, as sentences. */
  readonly findings: readonly string[];
}

/** Skill of a source or a marketplace. */
export interface OfferedSkill extends Omit<SourceSkill, "folder"> {
  /** What `skills install` takes. */
  readonly source: string;
}

/** Skills that the operator installed from sources of other people (EXT-547). Nothing of them is executed. */
export class InstalledSkills {
  readonly #dependencies: InstalledSkillDependencies;
  readonly #mutex = new Mutex();

  /** @param dependencies - state folder, marketplaces, network check, rules and clock */
  constructor(dependencies: InstalledSkillDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the skills of a source, or those of all marketplaces on disk.
   * @param source - source as for {@link install}; the marketplaces when undefined
   * @param cwd - base folder of relative paths
   */
  async offered(source: string | undefined, cwd: string): Promise<readonly OfferedSkill[]> {
    const { marketplaces } = this.#dependencies;
    if (source !== undefined) {
      await using found = await this.#stage(source, cwd);
      return offeredBy(source, found);
    }
    const found = (await marketplaces.folders()).map(async ({ specifier, folder, skills }) => {
      const folders = skills.map((place) => join(folder, place));
      return offeredBy(specifier, await skillsIn(folders, folder, this.#dependencies.safety()));
    });
    return (await Promise.all(found)).flat();
  }

  /**
   * Installs skills of a source.
   * @param source - folder, archive, git URL, package of npm, or `<plugin>@<marketplace>`
   * @param options - names, and accepted risks
   * @throws SkillInstallRefusedError, PluginSourceError, and the errors of marketplaces
   */
  install(source: string, options: SkillInstallOptions): Promise<readonly InstalledSkill[]> {
    return this.#mutex.run(async () => {
      await using found = await this.#stage(source, options.cwd);
      const chosen = chosenOf(found, source, options);
      const records = await readSkillRecords(this.#dependencies.state);
      for (const { name } of chosen) {
        const other = records.get(name);
        if (other === undefined || other.requested === found.requested) continue;
        throw new SkillInstallRefusedError(
          name,
          `it is installed from ${other.requested}`,
          `remove that one first with \`openclaw skills remove ${name}\``,
        );
      }
      return await this.#placeAll(chosen, found, options);
    });
  }

  /**
   * Installs the current version of installed skills.
   * @param name - name of a skill; all when undefined
   * @param options - `force` installs despite critical findings of the scan
   * @throws SkillNotInstalledError, and the errors of {@link install}
   */
  update(
    name: string | undefined,
    { force }: { readonly force: boolean },
  ): Promise<readonly InstalledSkill[]> {
    return this.#mutex.run(async () => {
      const { state } = this.#dependencies;
      const records = await readSkillRecords(state);
      const wanted = name === undefined ? [...records.values()] : [this.#find(name, records)];
      const updated: InstalledSkill[] = [];
      for (const record of wanted) {
        await using found = await this.#stage(record.requested, state.dir);
        const options = { cwd: state.dir, names: [record.name], all: false, force };
        const chosen = chosenOf(found, record.requested, options);
        updated.push(...(await this.#placeAll(chosen, found, options)));
      }
      return updated;
    });
  }

  /**
   * Removes an installed skill with its files.
   * @param name - name of the skill
   * @throws SkillNotInstalledError
   */
  remove(name: string): Promise<void> {
    return this.#mutex.run(async () => {
      const { state } = this.#dependencies;
      const records = await readSkillRecords(state);
      this.#find(name, records);
      await rm(installedSkillFolder(state, name), { recursive: true, force: true });
      records.delete(name);
      writeSkillRecords(state, records);
    });
  }

  #find(name: string, records: ReadonlyMap<string, SkillRecord>): SkillRecord {
    const record = records.get(name);
    if (record !== undefined) return record;
    throw new SkillNotInstalledError(name, nearestName(name, [...records.keys()]));
  }

  #stage(source: string, cwd: string): Promise<StagedSkills> {
    const { state, marketplaces, network, safety } = this.#dependencies;
    const stagingDir = join(state.dir, "staging");
    return stageSkills(source, cwd, { stagingDir, marketplaces, network, safety: safety() });
  }

  async #placeAll(
    chosen: readonly SourceSkill[],
    { staged, requested }: StagedSkills,
    { force }: Pick<SkillInstallOptions, "force">,
  ): Promise<readonly InstalledSkill[]> {
    const scanned = await Promise.all(chosen.map((skill) => scanSkill(skill, force)));
    const { state, now } = this.#dependencies;
    const placed: InstalledSkill[] = [];
    for (const { skill, files, findings } of scanned) {
      const records = await readSkillRecords(state);
      const before = records.get(skill.name);
      const digest = digestOfInventory(files);
      const record: SkillRecord = {
        ...{ name: skill.name, requested, digest, installedAt: now() },
        ...defined({ version: staged.packageVersion }),
      };
      await replaceFolder(skill.folder, installedSkillFolder(state, skill.name));
      writeSkillRecords(state, records.set(skill.name, record));
      const programs = Object.keys(executables(files));
      const changed = before?.digest === digest ? "unchanged" : "updated";
      const outcome = before === undefined ? "installed" : changed;
      placed.push({ ...record, outcome, programs, findings });
    }
    return placed;
  }
}

function offeredBy(source: string, { skills }: SourceSkills): readonly OfferedSkill[] {
  return skills.map(({ name, description }) => ({ name, description, source }));
}

function chosenOf(
  { skills, problems }: SourceSkills,
  source: string,
  { names, all }: SkillInstallOptions,
): readonly SourceSkill[] {
  const [only] = skills;
  if (only === undefined) {
    const [problem] = problems;
    throw new SkillInstallRefusedError(
      source,
      problem ?? "it has no SKILL.md, in skills/ or elsewhere",
      "name the folder, repository or package of a skill",
    );
  }
  if (all || (names.length === 0 && skills.length === 1)) return skills;
  const offered = skills.map(({ name }) => name);
  if (names.length === 0) {
    throw new SkillInstallRefusedError(
      source,
      `it has ${skills.length} skills: ${offered.join(", ")}`,
      "name those that you want after the source, or add --all",
    );
  }
  return names.map((name) => {
    const skill = skills.find((each) => each.name === name);
    if (skill !== undefined) return skill;
    const problem = problems.find((each) => each.includes(name));
    const nearest = nearestName(name, offered);
    throw new SkillInstallRefusedError(
      name,
      problem ?? `${source} has no such skill`,
      nearest === undefined ? `it has ${offered.join(", ")}` : `did you mean "${nearest}"?`,
    );
  });
}

/** Scans a skill before any of its files is moved. */
async function scanSkill(skill: SourceSkill, force: boolean) {
  const { name, folder } = skill;
  const { status, error, findings } = await scanPlugin(folder);
  if (status !== "ok") {
    throw new SkillInstallRefusedError(name, `the scan failed (${error})`, "try again");
  }
  const critical = findings.find(({ severity }) => severity === "critical");
  if (critical !== undefined && !force) {
    const { file, line, message } = critical;
    throw new SkillInstallRefusedError(
      name,
      `${file}:${line} ${message}`,
      "inspect the file, and install with --force if you trust it",
    );
  }
  return {
    skill,
    files: await readInventory(folder),
    findings: findings.map(({ file, line, message }) => `${file}:${line} ${message}`),
  };
}

/** Moves a folder to its place; the earlier one stays until the new one is there. */
async function replaceFolder(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const old = `${from}.old`;
  const had = await rename(to, old).then(
    () => true,
    () => false,
  );
  try {
    await rename(from, to);
  } catch (error) {
    if (had) await rename(old, to);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}
