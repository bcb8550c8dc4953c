import type {
  LiteralPipeline,
  LiteralProgram,
  LiteralRedirection,
} from "../literal/literal-command.js";
import { NotExpandable } from "./expanded-command.js";
import { outputOf } from "./outputs.js";
import type { SharedExpansion, ShellState } from "./shell-state.js";

/** Operator before a pipeline. */
export type After = LiteralPipeline["after"];

/** Maximum number of pipelines of an expanded command. */
const MOST_PIPELINES = 128;

/** Pipeline with the folder in which it runs. */
interface Emitted {
  readonly pipeline: LiteralPipeline;
  readonly folder: string;
}

/** Pipelines of a script in the order in which they run. */
export class Emission {
  /** Redirections of the groups around the current command. */
  outer: readonly LiteralRedirection[] = [];
  /** Slot that keeps the output of the current command; undefined when it is output of the script. */
  slot: number | undefined;
  /** True inside a part that runs only after a certain outcome. */
  isConditional = false;
  readonly #shared: SharedExpansion;
  readonly #state: ShellState;
  #emitted: Emitted[] = [];
  /** Place at which pipelines are inserted whose output a later word needs. */
  #chain = { start: 0, folder: "", inserted: 0 };

  constructor(shared: SharedExpansion, state: ShellState) {
    this.#shared = shared;
    this.#state = state;
  }

  get pipelines(): readonly LiteralPipeline[] {
    return this.#emitted.map(({ pipeline }) => pipeline);
  }

  get count(): number {
    return this.#emitted.length;
  }

  /** Begins a statement that depends on nothing before it. */
  beginStatement(): void {
    if (this.isConditional) return;
    this.#chain = { start: this.count, folder: this.#state.folder, inserted: 0 };
  }

  add(programs: readonly LiteralProgram[], after: After, readsKept?: number): void {
    const pipeline: LiteralPipeline = {
      after,
      programs: programs.map((program) =>
        this.outer.length === 0
          ? program
          : { ...program, redirections: [...this.outer, ...program.redirections] },
      ),
      ...(this.slot === undefined ? {} : { keepsOutput: this.slot }),
      ...(readsKept === undefined ? {} : { readsKept }),
    };
    this.#append([{ pipeline, folder: this.#state.folder }]);
    this.#state.status = undefined;
  }

  /** Adds the pipelines of a subshell. */
  addAll(inner: Emission): void {
    this.#append(inner.#emitted);
  }

  newSlot(): number {
    this.#shared.slots += 1;
    return this.#shared.slots - 1;
  }

  /** Runs a part that may add several pipelines, of which all must depend on what is before it. */
  async nested(after: After, work: () => Promise<void>): Promise<void> {
    const { inserted } = this.#chain;
    const before = this.count;
    const { isConditional } = this;
    const variables = this.#state.fingerprint();
    if (after !== ";") this.isConditional = true;
    await work();
    this.isConditional = isConditional;
    if (after === ";") return;
    if (this.#state.fingerprint() !== variables) throw new NotExpandable("a conditional variable");
    const start = before + this.#chain.inserted - inserted;
    this.#emitted = this.#emitted.map(({ pipeline, folder }, index) => {
      if (index < start) return { pipeline, folder };
      if (index > start && (after === "||" || pipeline.after !== after)) {
        throw new NotExpandable("a conditional group");
      }
      return { pipeline: { ...pipeline, after }, folder };
    });
  }

  /** Computes the output of all pipelines; throws when only their programs know it. */
  async output(): Promise<string> {
    let text = "";
    let isCertain = true;
    for (const { pipeline, folder } of this.#emitted) {
      const { after, programs, keepsOutput, readsKept } = pipeline;
      if (!isCertain && after !== ";") throw new NotExpandable("a condition");
      if (keepsOutput !== undefined || readsKept !== undefined) {
        throw new NotExpandable("kept output");
      }
      isCertain = programs[0]?.program === "cd";
      if (!isCertain) text += await this.computed(programs, folder);
    }
    return text;
  }

  /** Computes the output of programs that are connected by pipes. */
  async computed(programs: readonly LiteralProgram[], folder: string): Promise<string> {
    const { scene, budget, computed } = this.#shared;
    let text: string | undefined;
    for (const program of programs) {
      text = await outputOf(program, text, { folder, files: scene.files, budget });
      computed.push({ program, folder });
    }
    return text ?? "";
  }

  /** Inserts the pipelines of a substitution before the current statement, and returns the slot that keeps their output. */
  insertLate(inner: Emission): number {
    const { start, folder, inserted } = this.#chain;
    const isMoved = inner.#emitted.some(({ pipeline }) => pipeline.programs[0]?.program === "cd");
    const first = this.#emitted[start];
    const isBound = first !== undefined && first.pipeline.after !== ";";
    if (isMoved || isBound || folder !== this.#state.folder) {
      throw new NotExpandable("a late substitution");
    }
    const slot = this.newSlot();
    const kept = inner.#emitted.map(({ pipeline, folder: at }) => ({
      pipeline: { ...pipeline, keepsOutput: pipeline.keepsOutput ?? slot },
      folder: at,
    }));
    this.#emitted.splice(start, 0, ...kept);
    this.#assertSize();
    const count = kept.length;
    this.#chain = { start: start + count, folder, inserted: inserted + count };
    return slot;
  }

  #append(emitted: readonly Emitted[]): void {
    this.#emitted.push(...emitted);
    this.#assertSize();
  }

  #assertSize(): void {
    this.#shared.budget.take();
    if (this.count > MOST_PIPELINES) throw new NotExpandable("too many programs");
  }
}
