import type {
  CommandExpansionPart,
  CommandNode,
  ProcessSubstitutionPart,
  Redirected,
  Statement,
  SyntaxNode,
  While,
} from "unbash";
import type { LiteralPipeline } from "../literal/literal-command.js";
import { chosenCase, loopValues } from "./choices.js";
import { type ConditionalExpansion, expandBranch, expandChain } from "./conditional-commands.js";
import { lineLoop } from "./conditions.js";
import { type After, Emission } from "./emission.js";
import { NotExpandable } from "./expanded-command.js";
import { conditionOutcome } from "./file-tests.js";
import { lateFile, lateText } from "./late-words.js";
import { lineFields, valuesOfLine } from "./line-fields.js";
import { linesOf } from "./outputs.js";
import { expandPipe, type PipeStages } from "./pipe-expansion.js";
import { groupRedirections, redirectionsOf } from "./redirections.js";
import type { SharedExpansion, ShellState } from "./shell-state.js";
import { type SimpleResult, simpleCommand, startedProgram } from "./simple-command.js";
import { conditionMeans, type WordMeans } from "./words.js";

/** Maximum nesting of scripts and constructs. */
const DEEPEST = 32;

/** Expands a script into pipelines of programs that run one after the other. */
export class ScriptExpansion {
  readonly #shared: SharedExpansion;
  readonly #state: ShellState;
  readonly #means: WordMeans;
  readonly #emission: Emission;
  readonly #conditional: ConditionalExpansion;
  /** True after `exit`; undefined after one that may not run. */
  #hasEnded: boolean | undefined = false;

  constructor(shared: SharedExpansion, state: ShellState) {
    this.#shared = shared;
    this.#state = state;
    this.#emission = new Emission(shared, state);
    this.#conditional = {
      state,
      emission: this.#emission,
      node: (node, after) => this.#node(node, after),
      run: (statements) => this.run(statements),
    };
    const { grammar, budget, scene } = shared;
    this.#means = {
      grammar,
      budget,
      files: scene.files,
      folder: () => state.folder,
      valueOf: (name) => state.valueOf(name),
      outputOf: (part) => this.#substitution(part),
      fileOf: async (part) =>
        lateFile(this.#emission.insertLate((await this.#inner(part)).#emission)),
      contentOf: async (part) => await (await this.#inner(part)).output(),
    };
  }

  /** Pipelines of the script. */
  get pipelines(): readonly LiteralPipeline[] {
    return this.#emission.pipelines;
  }

  /** Expands statements in their order. */
  async run(statements: readonly Statement[]): Promise<void> {
    for (const { command, background } of statements) {
      if (this.#hasEnded === true) return;
      if (this.#hasEnded === undefined) throw new NotExpandable("what may follow exit");
      if (background === true) throw new NotExpandable("a background command");
      this.#emission.beginStatement();
      const isBound = this.#state.endsOnFailure && this.#emission.count > 0;
      if (isBound && this.#state.status === false) return;
      await this.#node(command, isBound && this.#state.status === undefined ? "&&" : ";");
    }
  }

  /** Computes the output of the whole script; throws when only its programs know it. */
  output(): Promise<string> {
    return this.#emission.output();
  }

  async #node(node: SyntaxNode, after: After): Promise<void> {
    await this.#deeper(() => this.#expanded(node, after));
  }

  async #deeper(work: () => Promise<void>): Promise<void> {
    this.#shared.depth += 1;
    if (this.#shared.depth > DEEPEST) throw new NotExpandable("deep nesting");
    await work();
    this.#shared.depth -= 1;
  }

  async #expanded(node: SyntaxNode, after: After): Promise<void> {
    switch (node.type) {
      case "Command":
        return await this.#pipeline([node], after);
      case "Pipeline": {
        if (node.operators.includes("|&")) throw new NotExpandable("|&");
        const isNegated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
        await this.#pipeline(node.commands, after);
        if (!isNegated) return;
        if (this.#state.status === undefined) throw new NotExpandable("!");
        this.#state.status = !this.#state.status;
        return;
      }
      case "AndOr":
        return await expandChain(node, after, this.#conditional);
      case "BraceGroup":
        return await this.#emission.nested(after, () => this.run(node.body.commands));
      case "Subshell":
        return await this.#emission.nested(after, () => this.#subshell(node.body.commands));
      case "TestCommand":
        this.#state.status = await conditionOutcome(node.expression, conditionMeans(this.#means));
        return;
      case "If":
        return await this.#emission.nested(after, () => expandBranch(node, this.#conditional));
      case "For": {
        const { name, body } = node;
        const values = await loopValues(node, this.#means);
        return await this.#emission.nested(after, async () => {
          this.#state.status = true;
          for (const value of values) {
            this.#state.set(name.text, value);
            await this.run(body.commands);
          }
        });
      }
      case "Case": {
        const chosen = await chosenCase(node, this.#means);
        this.#state.status = true;
        if (chosen === undefined) return;
        return await this.#emission.nested(after, () => this.run(chosen));
      }
      case "Redirected":
        return await this.#redirected(node, after);
      default:
        throw new NotExpandable(node.type);
    }
  }

  async #subshell(statements: readonly Statement[]): Promise<void> {
    const inner = this.#groupInside();
    await inner.run(statements);
    this.#emission.addAll(inner.#emission);
    this.#state.status = inner.#state.status;
    if (inner.#state.folder === this.#state.folder) return;
    const back = { program: "cd", arguments: [this.#state.folder], redirections: [] };
    this.#emission.add([back], ";");
  }

  #groupInside(): ScriptExpansion {
    const inner = new ScriptExpansion(this.#shared, this.#state.copy(this.#shared.scene));
    inner.#emission.slot = this.#emission.slot;
    inner.#emission.outer = this.#emission.outer;
    return inner;
  }

  async #redirected({ command, redirects }: Redirected, after: After): Promise<void> {
    const redirections = await redirectionsOf(redirects, this.#means);
    const { input, others } = groupRedirections(redirections, command.type === "While");
    const outer = this.#emission.outer;
    this.#emission.outer = [...outer, ...others];
    if (input === undefined || command.type !== "While") await this.#node(command, after);
    else {
      const cat = { program: "cat", arguments: [], redirections: [input] };
      const text = await this.#emission.computed([cat], this.#state.folder);
      await this.#emission.nested(after, () => this.#lines(command, text));
    }
    this.#emission.outer = outer;
  }

  /** Expands `while read -r name`, also with several names and a separator, for the lines of a known text. */
  async #lines(loop: While, text: string): Promise<void> {
    const fields = lineLoop(loop, text);
    this.#state.status = true;
    for (const line of linesOf(text)) {
      for (const [name, value] of valuesOfLine(line, fields)) this.#state.set(name, value);
      await this.run(loop.body.commands);
    }
  }

  async #pipeline(nodes: readonly CommandNode[], after: After): Promise<void> {
    const [only] = nodes;
    if (nodes.length === 1 && only !== undefined) {
      if (only.type !== "Command") return await this.#node(only, after);
      const found = await simpleCommand(only, this.#state, this.#shared, this.#means);
      return await this.#single(found, after);
    }
    const stages: PipeStages = {
      simple: (node) => simpleCommand(node, this.#state, this.#shared, this.#means),
      invoke: (invocations) => this.#invoke(invocations),
      started: (words) => startedProgram(words, this.#state, this.#shared),
      script: (source) => this.#script(source),
      lines: (loop, text) => this.#lines(loop, text),
      group: (node) => this.#subshellNode(node),
    };
    const expand = () => expandPipe(nodes, this.#state, this.#emission, stages);
    await this.#emission.nested(after, expand);
  }

  async #single(found: SimpleResult, after: After): Promise<void> {
    switch (found.kind) {
      case "done":
        return;
      case "exit": {
        const isCertain = after === ";" && !this.#emission.isConditional;
        this.#hasEnded = isCertain ? true : undefined;
        if (found.program !== undefined) return this.#emission.add([found.program], after);
        if (!isCertain) throw new NotExpandable("exit");
        return;
      }
      case "folder": {
        await this.#emission.nested(after, async () => {
          for (const [index, program] of found.programs.entries()) {
            this.#emission.add([program], index === 0 ? ";" : "&&");
          }
        });
        if (after !== ";" || this.#emission.isConditional || !this.#shared.entersFolders) return;
        this.#state.status = true;
        this.#emission.beginStatement();
        return;
      }
      case "program":
        return this.#emission.add([found.program], after);
      case "script":
        return await this.#emission.nested(after, () => this.#script(found.source));
      case "read": {
        const text = await this.#emission.computed([found.input], this.#state.folder);
        const [line = ""] = linesOf(text);
        const fields = lineFields(found.words, found.separators, line);
        for (const [name, value] of valuesOfLine(line, fields)) this.#state.set(name, value);
        this.#state.status = text.includes("\n");
        return;
      }
      case "items": {
        const { input, command } = found;
        if (input === undefined) throw new NotExpandable("xargs");
        const text = await this.#emission.computed([input], this.#state.folder);
        return await this.#emission.nested(after, () => this.#invoke(command.invocations(text)));
      }
    }
  }

  /** Expands the first stage of a pipe that is not a simple command. */
  async #subshellNode(node: CommandNode): Promise<void> {
    const inner = this.#groupInside();
    await inner.#node(node, ";");
    if (inner.#state.folder !== this.#state.folder) throw new NotExpandable("a folder in a pipe");
    this.#emission.addAll(inner.#emission);
  }

  async #script(source: string): Promise<void> {
    const { commands, errors } = this.#shared.grammar.parse(source);
    if (errors !== undefined) throw new NotExpandable("a script");
    await this.#subshell(commands);
  }

  async #invoke(invocations: readonly (readonly string[])[]): Promise<void> {
    this.#state.status = true;
    for (const words of invocations) {
      const program = await startedProgram(words, this.#state, this.#shared);
      this.#emission.add([program], ";");
    }
  }

  /** Returns the output of a substitution, or a mark for it where only its programs know it. */
  async #substitution(part: CommandExpansionPart): Promise<string> {
    const inner = await this.#inner(part);
    const known = await inner.output().catch((error: unknown) => {
      if (error instanceof NotExpandable) return undefined;
      throw error;
    });
    return known?.replace(/\n+$/, "") ?? lateText(this.#emission.insertLate(inner.#emission));
  }

  async #inner(part: CommandExpansionPart | ProcessSubstitutionPart): Promise<ScriptExpansion> {
    const { script } = part;
    const isOutput = part.type === "ProcessSubstitution" && part.operator === ">";
    if (isOutput || script === undefined || script.errors !== undefined) {
      throw new NotExpandable("a substitution");
    }
    const inner = new ScriptExpansion(this.#shared, this.#state.copy(this.#shared.scene));
    await this.#deeper(() => inner.run(script.commands));
    return inner;
  }
}
