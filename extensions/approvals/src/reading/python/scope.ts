import { BUILT_INS, EXCEPTIONS } from "./modules.js";
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
  /** True when the properties of a computed path are shown. */
  isComputed = false;
  /** True when there are values of `pathlib`, some methods of which change files. */
  hasPaths = false;
  hasReplaced = false;

  /**
   * Gives a name a value.
   * @param name - name that the program assigns
   * @param value - its value
   * @throws NotReading when the name means something else already
   */
  define(name: string, value: PythonValue): void {
    const isTaken = BUILT_INS.has(name) || EXCEPTIONS.has(name) || name.startsWith("__");
    const known = this.names.get(name);
    const isUsed = this.pathNames.has(name);
    if (isTaken || isUsed || name === "open" || known?.member !== undefined) {
      throw new NotReading(name);
    }
    this.names.set(name, known === undefined ? { ...value, origin: name } : withoutLiteral(value));
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
