import type { Command, ParsedScript, Redirection, SyntaxNode } from "unbash";
import { elementAt } from "../../text/checked-index.js";
import {
  assignedValue,
  assignmentWord,
  isStandardInput,
  redirectedWord,
} from "../grammar/command-word.js";
import type { ShellGrammar } from "../grammar/grammar.js";
import { programName } from "../grammar/names.js";
import type { CommandDefinition, ShellFeature } from "../grammar/parsed-command.js";
import {
  codeOf,
  expandWord,
  knownWord,
  type ShellCode,
  type ShellWord,
  type StaticOutput,
  valuesOf,
} from "../grammar/word.js";
import { type InnerCommand, unwrap } from "../wrappers/unwrapping.js";
import {
  type CommandContext,
  type CommandDraft,
  type Placed,
  TOP,
  withoutInput,
  wrapped,
} from "./command-draft.js";
import { hidesMore, runsInput } from "./command-facts.js";
import { positionIn } from "./command-position.js";
import { featureOf, isAmbiguousArithmetic } from "./feature.js";
import { staticOutput } from "./static-output.js";

/** Maximum nesting of wrappers, substitutions and nested code that is followed (APPR-039). */
const DEEPEST = 16;
/** Maximum number of commands of a source, and of definitions; others are not read. */
const MOST_COMMANDS = 256;
/** Maximum number of words of a command that is followed to its end. */
const MOST_WORDS = 2048;
/** Maximum nesting of constructs; deeper ones would exhaust the stack. */
const DEEPEST_NODE = 256;
/**
 * Maximum number of characters of nested code, because each level of nesting reads its content once
 * more.
 */
const MOST_CODE = 32_768;

/** Commands of a substitution: the ones that print its text, and all of them. */
interface Visited {
  readonly outputs: readonly number[];
  readonly all: readonly number[];
}

const UNREAD: Visited = { outputs: [], all: [] };

/** Reads the tree of the grammar into a flat list of commands. */
export class CommandReader {
  readonly drafts: CommandDraft[] = [];
  readonly definitions: CommandDefinition[] = [];
  readonly #defined = new Map<string, readonly number[]>();
  readonly features = new Set<ShellFeature>();
  complete = true;
  readonly #grammar: ShellGrammar;
  readonly #visited = new Map<ParsedScript, Visited>();
  #nodeDepth = 0;
  #codeLeft = MOST_CODE;

  constructor(grammar: ShellGrammar) {
    this.#grammar = grammar;
  }

  read(source: string): void {
    this.#readScript(this.#grammar.parse(source), TOP);
  }

  #readScript(script: ParsedScript, around: CommandContext): number[] {
    if (script.errors !== undefined) this.complete = false;
    return script.commands.flatMap((statement) => this.#run(statement, around));
  }

  /** Reads a node that runs commands, and returns the indexes of those that print to its output. */
  #run(node: SyntaxNode, around: CommandContext): number[] {
    return this.#deeper(() => this.#runNode(node, around));
  }

  #runNode(node: SyntaxNode, around: CommandContext): number[] {
    const position = positionIn(node, around.position);
    this.#recordFeature(node);
    switch (node.type) {
      case "Command":
        return this.#runCommand(node, around);
      case "Statement":
        return this.#run(node.command, {
          ...around,
          background: around.background || node.background === true,
        });
      case "Pipeline":
        return this.#runPipeline(node, around);
      case "Redirected":
        return this.#runRedirected(node, around);
      case "Function":
        return this.#define("function", node.name.text, () =>
          this.#run(node.body, { ...around, position }),
        );
      case "Coproc":
        return this.#run(node.body, { ...around, background: true });
      case "For":
      case "Select":
        // The variable is set for the body; its values are read among the children.
        return this.#runChildren(node, {
          ...around,
          position,
          assignments: [...around.assignments, { name: node.name.text, value: undefined }],
        });
      case "AndOr":
      case "CompoundList":
      case "BraceGroup":
      case "Subshell":
      case "If":
      case "Elif":
      case "Case":
      case "CaseItem":
      case "ArithmeticFor":
      case "While":
        return this.#runChildren(node, { ...around, position });
      default:
        this.#substitutionsIn(node, around, []);
        return [];
    }
  }

  #deeper(read: () => number[]): number[] {
    if (this.#nodeDepth === DEEPEST_NODE) {
      this.complete = false;
      return [];
    }
    this.#nodeDepth += 1;
    const indexes = read();
    this.#nodeDepth -= 1;
    return indexes;
  }

  #runChildren(node: SyntaxNode, around: CommandContext): number[] {
    return this.#childrenOf(node).flatMap((child) => this.#run(child, around));
  }

  #runPipeline(node: Extract<SyntaxNode, { type: "Pipeline" }>, around: CommandContext): number[] {
    const timed = node.prefixes.some(({ type }) => type === "Time");
    const position = node.commands.length > 1 ? "pipe" : around.position;
    const timing = timed ? wrapped(around, "time", { program: "time", arguments: [] }) : around;
    let outputs: number[] = [];
    for (const [place, command] of node.commands.entries()) {
      const stdin = place === 0 ? timing : { ...withoutInput(timing), input: outputs };
      outputs = this.#run(command, { ...stdin, position });
    }
    return outputs;
  }

  #runRedirected(
    node: Extract<SyntaxNode, { type: "Redirected" }>,
    around: CommandContext,
  ): number[] {
    const outputs = this.#run(node.command, this.#redirect(node.redirects, around));
    for (const redirect of node.redirects) this.#substitutionsIn(redirect, around, outputs);
    return outputs;
  }

  #runCommand(node: Command, around: CommandContext): number[] {
    if (this.drafts.length >= MOST_COMMANDS) {
      this.complete = false;
      return [];
    }
    const outputOf = this.#outputOf(around);
    const words = [...(node.name === undefined ? [] : [node.name]), ...node.args].flatMap((word) =>
      word.type === "Assignment"
        ? [assignmentWord(word, outputOf)]
        : expandWord(word, this.#grammar),
    );
    const assigned = node.prefix
      .filter((part) => part.type === "Assignment")
      .map((part) => ({ name: part.name, value: assignedValue(part) }));
    const emitted = this.#runWords(
      words,
      {
        ...this.#redirect(node.redirects, around),
        assignments: [...around.assignments, ...assigned],
        range: around.range ?? [node.pos, node.end],
      },
      outputOf,
    );
    const substitutions = this.#substitutionsIn(node, around, emitted);
    for (const index of emitted) elementAt(this.drafts, index).substitutions.push(...substitutions);
    return [...emitted, ...emitted.flatMap((index) => this.#calledBy(index))];
  }

  /** Reads a command as words, and returns the indexes of the commands it runs. */
  #runWords(words: readonly ShellWord[], around: Placed, outputOf: StaticOutput): number[] {
    const [program = knownWord(""), ...rest] = words;
    const name = program.isPattern ? undefined : programName(program.value);
    if (name === undefined) return [this.#emit(undefined, rest, around)];
    const { inner, itself, assignments, certain } = unwrap(name, rest, {
      outputOf,
      input: staticOutput(this.drafts, around.input),
    });
    if (!certain) this.complete = false;
    const outer = { ...around, assignments: [...around.assignments, ...assignments] };
    const emitted = itself ? this.#emitWithInput(program.value, rest, outer, outputOf) : [];
    if (inner.length > 0 && around.depth === DEEPEST) this.complete = false;
    else {
      const inside = { ...outer, depth: around.depth + 1 };
      const values = valuesOf(rest);
      for (const command of inner) {
        const start = startOf(command, rest);
        const within = wrapped(inside, name, {
          program: program.value ?? name,
          arguments: start === -1 ? values : values.slice(0, start),
        });
        emitted.push(...this.#runInner(command, within, outputOf));
      }
    }
    return emitted.length > 0 ? emitted : [this.#emit(program.value, rest, outer)];
  }

  #runInner(command: InnerCommand, around: Placed, outputOf: StaticOutput): number[] {
    if ("words" in command) {
      return command.words.length === 0 ? [] : this.#runWords(command.words, around, outputOf);
    }
    const { alias, code } = command;
    if (alias === undefined) return this.#runCode(code, around);
    return this.#define("alias", alias, () => this.#runCode(code, around));
  }

  #runCode({ text, complete }: ShellCode, around: CommandContext): number[] {
    this.#codeLeft -= text.length;
    if (!complete || this.#codeLeft < 0) this.complete = false;
    return this.#codeLeft < 0 ? [] : this.#readScript(this.#grammar.parse(text), around);
  }

  /**
   * Adds a command. A shell that reads commands from standard input runs that text, if it is known.
   */
  #emitWithInput(
    program: string | undefined,
    rest: readonly ShellWord[],
    around: Placed,
    outputOf: StaticOutput,
  ): number[] {
    const index = this.#emit(program, rest, around);
    if (!runsInput(elementAt(this.drafts, index)) || around.depth === DEEPEST) return [index];
    const printed = staticOutput(this.drafts, around.input);
    const text = around.text ?? (printed === undefined ? undefined : knownWord(printed));
    if (text === undefined) return [index];
    const inside = { ...withoutInput(around), depth: around.depth + 1 };
    const inShell = wrapped(inside, `${programName(program)}`, {
      program: `${program}`,
      arguments: valuesOf(rest),
    });
    return [index, ...this.#runCode(codeOf(text, outputOf), inShell)];
  }

  #emit(program: string | undefined, rest: readonly ShellWord[], around: Placed): number {
    const { assignments, redirections, wrappers, wrapperCommands } = around;
    const { position, background, input, range } = around;
    const words = valuesOf(rest);
    if (words.length > MOST_WORDS || hidesMore(words)) this.complete = false;
    this.drafts.push({
      program,
      arguments: words,
      assignments,
      redirections,
      wrappers,
      wrapperCommands,
      position,
      background,
      input: [...input],
      substitutions: [],
      range,
    });
    return this.drafts.length - 1;
  }

  /** Returns the commands of a function that is called. */
  #calledBy(index: number): readonly number[] {
    const { program } = elementAt(this.drafts, index);
    return program === undefined ? [] : (this.#defined.get(program) ?? []);
  }

  #define(kind: CommandDefinition["kind"], name: string, read: () => number[]): number[] {
    if (this.definitions.length >= MOST_COMMANDS) {
      this.complete = false;
      return [];
    }
    const start = this.drafts.length;
    const outputs = read();
    const commands = Array.from({ length: this.drafts.length - start }, (_, step) => start + step);
    this.definitions.push({ kind, name, commands });
    if (!this.#defined.has(name)) this.#defined.set(name, commands);
    return kind === "function" ? [] : outputs;
  }

  /** Returns the context with redirections added and their effect on standard input. */
  #redirect(redirects: readonly Redirection[], around: CommandContext): CommandContext {
    let { text, input } = around;
    const redirections = [...around.redirections];
    for (const redirect of redirects) {
      const word = redirectedWord(redirect);
      redirections.push({ operator: redirect.operator, target: word?.value });
      const isInput = redirect.operator.startsWith("<") && isStandardInput(redirect);
      if (!isInput) continue;
      text = redirect.operator.startsWith("<<") ? word : undefined;
      input = (word?.parts ?? []).flatMap((part) =>
        part.type === "ProcessSubstitution" ? this.#visit(part.script, around, []).outputs : [],
      );
    }
    return { ...around, redirections, text, input };
  }

  #outputOf(around: CommandContext): StaticOutput {
    return (script) => {
      const { outputs } = this.#visit(script, around, []);
      return staticOutput(this.drafts, outputs)?.replace(/\n+$/, "");
    };
  }

  /** Reads every substitution in the words of a node, and returns the indexes of their commands. */
  #substitutionsIn(node: SyntaxNode, around: CommandContext, outer: readonly number[]): number[] {
    return this.#deeper(() => this.#substitutionsInNode(node, around, outer));
  }

  #substitutionsInNode(
    node: SyntaxNode,
    around: CommandContext,
    outer: readonly number[],
  ): number[] {
    this.#recordFeature(node);
    switch (node.type) {
      case "CommandExpansion":
      case "ArithmeticCommandExpansion":
      case "ProcessSubstitution": {
        const reads = node.type === "ProcessSubstitution" && node.operator === ">" ? outer : [];
        const range =
          node.script?.source === undefined ? around.range : ([node.pos, node.end] as const);
        return [
          ...this.#visit(node.script, { ...around, range: around.range ?? range }, reads).all,
        ];
      }
      default:
        if (isAmbiguousArithmetic(node)) this.complete = false;
        return this.#childrenOf(node).flatMap((child) =>
          this.#substitutionsIn(child, around, outer),
        );
    }
  }

  /** Reads the script of a substitution once, and returns the same result for later calls. */
  #visit(
    script: ParsedScript | undefined,
    around: CommandContext,
    input: readonly number[],
  ): Visited {
    if (script === undefined || around.depth === DEEPEST) {
      this.complete = false;
      return UNREAD;
    }
    const known = this.#visited.get(script);
    if (known !== undefined) return known;
    const start = this.drafts.length;
    const { depth, wrappers, wrapperCommands, range } = around;
    const outputs = this.#readScript(script, {
      ...TOP,
      depth: depth + 1,
      wrappers,
      wrapperCommands,
      range,
      position: "substitution",
      input,
    });
    const all = Array.from({ length: this.drafts.length - start }, (_, step) => start + step);
    const visited = { outputs, all };
    this.#visited.set(script, visited);
    return visited;
  }

  #recordFeature(node: SyntaxNode): void {
    const feature = featureOf(node);
    if (feature !== undefined) this.features.add(feature);
  }

  #childrenOf(node: SyntaxNode): SyntaxNode[] {
    const children: SyntaxNode[] = [];
    this.#grammar.forEachChild(node, (child) => children.push(child));
    return children;
  }
}

/** Returns the position of an inner command among the words of its wrapper; -1 when it is code. */
function startOf(inner: InnerCommand, words: readonly ShellWord[]): number {
  const [program] = "words" in inner ? inner.words : [];
  return program === undefined ? -1 : words.indexOf(program);
}
