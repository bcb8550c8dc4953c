import { type RubyParts, readCall } from "./calls.js";
import { CONSTANTS, OUTPUTS, PLAIN_PARTS, RESERVED, STREAMS } from "./names.js";
import { childrenOf, constantName, isNode, listOf, NotReading, type RubyNode } from "./tree.js";

/** Global variables with the last line, its number, and what matched in it. */
const LINE_VARIABLE = /^\$[_.~&]$/;
/** Constants of a program; those of the language with such names have another meaning. */
const OWN_CONSTANT =
  /^(?!(?:ARG|STD|RUBY|TOPLEVEL)|(?:CSV|DATA|ENV|GC|IO|JSON|URI|YAML)$)[A-Z][A-Z\d_]*$/;
const OWN_VARIABLE = /^\$(?!std(?:in|out|err)$)[a-z]\w*$/;

/** Reads a program of Ruby, and collects the files that it reads. */
export class RubyProgram implements RubyParts {
  readonly files: string[] = [];
  readonly names: string[] = [];
  /** Functions and constants that the program defines. */
  readonly functions = new Set<string>();
  readonly #constants = new Set<string>();

  /**
   * Reads a whole program.
   * @param tree - its parts
   * @throws NotReading when it may do more than print values
   */
  read(tree: RubyNode): void {
    this.#define(tree);
    this.part(tree);
  }

  /**
   * Reads one part with everything in it.
   * @param node - the part
   */
  part(node: RubyNode): void {
    const { type } = node;
    if (type === "CallNode") readCall(node, this);
    else if (type === "DefNode") this.#parts([node.parameters, node.body]);
    else if (type === "MatchWriteNode") this.#parts([node.call, ...listOf(node.targets)]);
    else if (type === "GlobalVariableReadNode") this.#global(String(node.name));
    else if (/^GlobalVariable(?:Operator|Or)?WriteNode$/.test(type)) {
      if (!OWN_VARIABLE.test(String(node.name))) throw new NotReading(String(node.name));
      this.#parts([node.value]);
    } else if (type === "ConstantReadNode" || type === "ConstantPathNode") this.#constant(node);
    else if (type === "ConstantWriteNode") this.#parts([node.value]);
    else if (PLAIN_PARTS.has(type)) this.#parts(childrenOf(node));
    else throw new NotReading(type);
  }

  #parts(values: readonly unknown[]): void {
    for (const value of values) if (isNode(value)) this.part(value);
  }

  /** Collects what the program defines, wherever it does. */
  #define(node: RubyNode): void {
    const { type, receiver } = node;
    const name = String(node.name);
    if (type === "DefNode") {
      if (isNode(receiver) || RESERVED.has(name) || !/^[a-z_]\w*[?!]?$/.test(name)) {
        throw new NotReading(name);
      }
      this.functions.add(name);
    } else if (type === "ConstantWriteNode") {
      if (!OWN_CONSTANT.test(name)) throw new NotReading(name);
      this.#constants.add(name);
    }
    for (const child of childrenOf(node)) this.#define(child);
  }

  #global(name: string): void {
    if (LINE_VARIABLE.test(name) || STREAMS.has(name) || OUTPUTS.has(name)) return;
    if (!OWN_VARIABLE.test(name)) throw new NotReading(name);
  }

  #constant(node: RubyNode): void {
    const name = constantName(node) ?? "";
    if (CONSTANTS.has(name) || STREAMS.has(name) || OUTPUTS.has(name)) return;
    if (node.type !== "ConstantReadNode" || !this.#constants.has(name)) throw new NotReading(name);
  }
}
