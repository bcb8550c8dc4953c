import type { Command, ParsedScript, Redirection, SyntaxNode } from "unbash";
import { elementAt } from "../../text/checked-index.js";
import {
  assignedValue,
  assignmentWord,
  isStandardInput,
  redirectedWord,
  redirectionTarget,
} from "../grammar/command-word.js";
import type { ShellGrammar } from "../grammar/grammar.js";
import { expandWord, type StaticOutput } from "../grammar/word.js";
import { type CommandContext, TOP, withoutInput, wrapped } from "./command-draft.js";
import type { CommandList } from "./command-list.js";
import { positionIn } from "./command-position.js";
import { featureOf, isAmbiguousArithmetic } from "./feature.js";
import { staticOutput } from "./static-output.js";
import { DEEPEST, WordReader } from "./word-reader.js";

/** Maximum nesting of constructs; deeper ones would exhaust the stack. */
const DEEPEST_NODE = 256;

/** Commands of a substitution: the ones that print its text, and all of them. */
interface Visited {
  readonly outputs: readonly number[];
  readonly all: readonly number[];
}

const UNREAD: Visited = { outputs: [], all: [] };

/** Reads the tree of the grammar into a flat list of commands. */
export class CommandReader {
  readonly #list: CommandList;
  readonly #words: WordReader;
  readonly #grammar: ShellGrammar;
  readonly #visited = new Map<ParsedScript, Visited>();
  #nodeDepth = 0;

  constructor(grammar: ShellGrammar, list: CommandList) {
    this.#grammar = grammar;
    this.#list = list;
    this.#words = new WordReader(list, (source, around) =>
      this.#readScript(grammar.parse(source), around),
    );
  }

  read(source: string): void {
    this.#readScript(this.#grammar.parse(source), TOP);
  }

  #readScript(script: ParsedScript, around: CommandContext): number[] {
    if (script.errors !== undefined) this.#list.complete = false;
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
        return this.#list.define("function", node.name.text, () =>
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
      this.#list.complete = false;
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
    if (this.#list.isFull) {
      this.#list.complete = false;
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
    const emitted = this.#words.read(
      words,
      {
        ...this.#redirect(node.redirects, around),
        assignments: [...around.assignments, ...assigned],
        range: around.range ?? [node.pos, node.end],
      },
      outputOf,
    );
    const substitutions = this.#substitutionsIn(node, around, emitted);
    for (const index of emitted)
      elementAt(this.#list.drafts, index).substitutions.push(...substitutions);
    return [...emitted, ...emitted.flatMap((index) => this.#list.calledBy(index))];
  }

  /** Returns the context with redirections added and their effect on standard input. */
  #redirect(redirects: readonly Redirection[], around: CommandContext): CommandContext {
    let { text, input } = around;
    const redirections = [...around.redirections];
    for (const redirect of redirects) {
      const word = redirectedWord(redirect);
      redirections.push({ operator: redirect.operator, target: redirectionTarget(redirect) });
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
      return staticOutput(this.#list.drafts, outputs)?.replace(/\n+$/, "");
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
        if (isAmbiguousArithmetic(node)) this.#list.complete = false;
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
      this.#list.complete = false;
      return UNREAD;
    }
    const known = this.#visited.get(script);
    if (known !== undefined) return known;
    const start = this.#list.drafts.length;
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
    const all = this.#list.since(start);
    const visited = { outputs, all };
    this.#visited.set(script, visited);
    return visited;
  }

  #recordFeature(node: SyntaxNode): void {
    const feature = featureOf(node);
    if (feature !== undefined) this.#list.features.add(feature);
  }

  #childrenOf(node: SyntaxNode): SyntaxNode[] {
    const children: SyntaxNode[] = [];
    this.#grammar.forEachChild(node, (child) => children.push(child));
    return children;
  }
}
