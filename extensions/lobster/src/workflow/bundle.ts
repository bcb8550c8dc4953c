import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { LobsterConfig } from "../config.js";
import { LobsterError } from "../errors.js";
import { resolveFolder, resolveWorkflowFile, shownPath } from "../request/paths.js";
import { STEP_VARIABLE } from "../run/messages.js";
import { checkWorkflow } from "./check.js";
import { isObject } from "./json-object.js";

/** Deepest chain of workflows that include each other. */
const DEEPEST = 8;

/** Workflow file with the files that it includes, as the engine reads them. */
export interface WorkflowBundle {
  /** Name of the file to run. */
  readonly entry: string;
  /** Files that the engine reads: their steps name themselves, and they include each other by these names. */
  readonly files: readonly { readonly name: string; readonly content: string }[];
  /** SHA-256 of each file of the workspace, by its path in the workspace. */
  readonly digests: Readonly<Record<string, string>>;
  /** The parsed file to run, as written. */
  readonly workflow: JsonObject;
}

/**
 * Reads and checks a workflow file and the files that it includes. The engine runs the copies that it returns, so that a
 * change of a file after the check, or while the run is suspended, has no effect on it (LOB-031).
 * @param workspaceDir - absolute path of the workspace
 * @param base - absolute path of the folder of the run
 * @param filePath - path of the file relative to that folder
 * @throws LobsterError of type `parse_error`
 */
export async function readBundle(
  workspaceDir: string,
  base: string,
  filePath: string,
): Promise<WorkflowBundle> {
  const reader = new BundleReader(workspaceDir);
  const file = await resolveWorkflowFile(workspaceDir, base, filePath);
  const { name, workflow } = await reader.read(file, []);
  return { entry: name, files: reader.files, digests: reader.digests, workflow };
}

/**
 * Reads the workflow file of a run: in its folder, or by its name in the folder of the configuration.
 * @param config - folder of workflows, and whether files are allowed
 * @param workspaceDir - absolute path of the workspace
 * @param cwd - absolute path of the folder of the run
 * @param filePath - path relative to that folder, or name
 * @throws LobsterError of type `parse_error`
 */
export async function findBundle(
  { allowFiles, workflowsDir }: Pick<LobsterConfig, "allowFiles" | "workflowsDir">,
  workspaceDir: string,
  cwd: string,
  filePath: string,
): Promise<WorkflowBundle> {
  if (!allowFiles) {
    throw new LobsterError(
      "parse_error",
      "filePath: workflow files are off; set allowFiles in the configuration of the plugin, or give a pipeline",
    );
  }
  try {
    return await readBundle(workspaceDir, cwd, filePath);
  } catch (error) {
    const isName = workflowsDir !== undefined && !filePath.includes("/");
    if (!isName || !(error instanceof LobsterError) || !/does not exist/.test(error.message)) {
      throw error;
    }
    return await readBundle(
      workspaceDir,
      await resolveFolder(workspaceDir, workflowsDir),
      filePath,
    );
  }
}

/** Returns the SHA-256 of a text in hexadecimal. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

class BundleReader {
  readonly files: { name: string; content: string }[] = [];
  readonly digests: Record<string, string> = {};
  readonly #workspaceDir: string;
  readonly #names = new Map<string, string>();

  constructor(workspaceDir: string) {
    this.#workspaceDir = workspaceDir;
  }

  async read(
    file: string,
    including: readonly string[],
  ): Promise<{ readonly name: string; readonly workflow: JsonObject }> {
    const shown = shownPath(this.#workspaceDir, file);
    if (including.includes(file)) {
      throw new LobsterError("parse_error", `${shown}: the workflow includes itself`);
    }
    if (including.length >= DEEPEST) {
      throw new LobsterError(
        "parse_error",
        `${shown}: workflows are included more than ${DEEPEST} levels deep`,
      );
    }
    const text = await readFile(file, "utf8");
    // YAML is loaded with the first workflow file, and not at the start of every host.
    const { parseWorkflow } = await import("./document.js");
    const document = parseWorkflow(text, shown);
    checkWorkflow(document, shown);
    this.digests[shown] = digest(text);
    const known = this.#names.get(file);
    if (known !== undefined) return { name: known, workflow: document.value };
    const name = `workflow-${this.#names.size}.json`;
    this.#names.set(file, name);
    const steps: JsonValue[] = [];
    const written = Array.isArray(document.value.steps) ? document.value.steps : [];
    for (const [index, step] of written.entries()) {
      const line = document.line(["steps", index]);
      const at = { file, shown: `${shown}:${line}`, including: [...including, file] };
      steps.push(await this.#step(step, at));
    }
    this.files.push({ name, content: JSON.stringify({ ...document.value, steps }) });
    return { name, workflow: document.value };
  }

  async #step(
    step: JsonValue,
    at: { readonly file: string; readonly shown: string; readonly including: readonly string[] },
  ): Promise<JsonValue> {
    if (!isObject(step)) return step;
    const id = String(step.id);
    const named: JsonObject = withStepName(step, id);
    if (Array.isArray(step.steps)) {
      named.steps = step.steps.map((inner) =>
        isObject(inner) ? withStepName(inner, `${id}.${inner.id}`) : inner,
      );
    }
    if (isObject(step.parallel) && Array.isArray(step.parallel.branches)) {
      const branches = step.parallel.branches.map((branch) =>
        isObject(branch) ? withStepName(branch, `${id}.${branch.id}`) : branch,
      );
      named.parallel = { ...step.parallel, branches };
    }
    if (typeof step.workflow === "string") {
      if (/[$]/.test(step.workflow)) {
        throw new LobsterError(
          "parse_error",
          `${at.shown}: workflow of step "${id}" is computed; write the path of the file`,
        );
      }
      const file = await resolveWorkflowFile(
        this.#workspaceDir,
        dirname(at.file),
        step.workflow,
        `${at.shown}: workflow`,
      );
      const included = await this.read(file, at.including);
      if (hasGate(included.workflow)) {
        throw new LobsterError(
          "parse_error",
          `${at.shown}: ${step.workflow} has an approval or input step, which an included workflow cannot have; put it into this file`,
        );
      }
      named.workflow = included.name;
    }
    return named;
  }
}

function withStepName(step: JsonObject, name: string): JsonObject {
  const env = isObject(step.env) ? step.env : {};
  return { ...step, env: { ...env, [STEP_VARIABLE]: name } };
}

function hasGate({ steps }: JsonObject): boolean {
  return (
    Array.isArray(steps) &&
    steps.some(
      (step) => isObject(step) && (step.approval !== undefined || step.input !== undefined),
    )
  );
}
