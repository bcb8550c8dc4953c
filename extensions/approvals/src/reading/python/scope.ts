import { BUILT_INS, EXCEPTIONS, RESERVED_ATTRIBUTES } from "./modules.js";
import { NotReading, type PythonValue, withoutLiteral } from "./values.js";

/** Names, and files that the program reads. */
export class PythonScope {
  readonly names = new Map<string, PythonValue>();
  readonly files: string[] = [];
  readonly folders: string[] = [];
  /** Names whose only value is the path of a file that is read. */
  readonly pathNames = new Set<string>();
  /** Literal strings, of which paths could be made. */
  readonly texts: string[] = [];
  /** Attributes and methods of the classes of the program. */
  readonly attributes = new Set<string>();
  /** True when the properties of a computed path are shown. */
  isComputed = false;
  /** True when there are values of `pathlib`, some methods of which change files. */
  hasPaths = false;
  hasReplaced = false;

  /**
   * Gives a name a value.
   * @param name - name that the program assigns
   * @throws NotReading when the name means something else already
   */
  define(name: string, value: PythonValue): void {
    const isTaken = BUILT_INS.has(name) || EXCEPTIONS.has(name) || name.startsWith("__");
    const known = this.names.get(name);
    const isUsed = this.pathNames.has(name);
    const isFixed = known?.member !== undefined || known?.isOwn === true;
    if (isTaken || isUsed || name === "open" || isFixed) {
      throw new NotReading(name);
    }
    this.names.set(name, known === undefined ? { ...value, origin: name } : withoutLiteral(value));
  }

  /**
   * Gives the name of a function or class of the program its meaning everywhere.
   * @param name - name after `def` or `class`
   * @throws NotReading when the name has another meaning
   */
  defineOwn(name: string): void {
    if (this.names.has(name)) throw new NotReading(name);
    this.define(name, {});
    this.names.set(name, { isOwn: true });
  }

  /**
   * Adds an attribute or method of a class of the program.
   * @throws NotReading when it would mean something for other values
   */
  addAttribute(name: string): void {
    const isPlain = /^[A-Za-z]\w*$/.test(name) && !/^(?:gi|cr|ag|f|tb|co)_/.test(name);
    if (!isPlain || RESERVED_ATTRIBUTES.has(name)) throw new NotReading(name);
    this.attributes.add(name);
  }

  /**
   * Records a file that is read.
   * @param path - literal path of the file
   * @param value - value that has the path
   */
  reads(path: string, { origin }: PythonValue): void {
    this.files.push(path);
    if (origin !== undefined) this.pathNames.add(origin);
  }
}
