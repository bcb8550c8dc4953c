// Converts lengths, masses, volumes, times and temperatures. It needs no capability.
import { parsed, quoted } from "../adapter/json";
import { textOf } from "../adapter/memory";
import { failure, returned, success } from "../adapter/tool";

export { realloc } from "../adapter/memory";

/** Name of a unit, what it measures, its factor and its offset in the base unit. */
class Unit {
  constructor(public name: string, public quantity: string, public factor: f64, public offset: f64 = 0) {}
}

const UNITS: Unit[] = [
  new Unit("mm", "length", 0.001), new Unit("cm", "length", 0.01), new Unit("m", "length", 1),
  new Unit("km", "length", 1000), new Unit("in", "length", 0.0254), new Unit("ft", "length", 0.3048),
  new Unit("yd", "length", 0.9144), new Unit("mi", "length", 1609.344), new Unit("nmi", "length", 1852),
  new Unit("g", "mass", 0.001), new Unit("kg", "mass", 1), new Unit("t", "mass", 1000),
  new Unit("oz", "mass", 0.028349523125), new Unit("lb", "mass", 0.45359237),
  new Unit("ml", "volume", 0.001), new Unit("l", "volume", 1), new Unit("gal", "volume", 3.785411784),
  new Unit("s", "time", 1), new Unit("min", "time", 60), new Unit("h", "time", 3600), new Unit("d", "time", 86400),
  new Unit("K", "temperature", 1), new Unit("C", "temperature", 1, 273.15),
  new Unit("F", "temperature", 5.0 / 9.0, 459.67 * 5.0 / 9.0),
];

function unitOf(name: string): Unit | null {
  for (let index = 0; index < UNITS.length; index += 1) if (UNITS[index].name == name) return UNITS[index];
  return null;
}

function names(): string {
  return UNITS.map<string>((unit) => unit.name).join(", ");
}

export function description(): usize {
  return returned("Converts a value from one unit to another: lengths, masses, volumes, times and temperatures.");
}

export function schema(): usize {
  const unit = '{"type":"string","enum":[' + UNITS.map<string>((each) => quoted(each.name)).join(",") + "]}";
  return returned(
    '{"type":"object","properties":{"value":{"type":"number"},"from":' + unit + ',"to":' + unit +
      '},"required":["value","from","to"],"additionalProperties":false}',
  );
}

export function execute(params: usize, length: i32, hasContext: i32, context: usize, contextLength: i32): usize {
  const given = parsed(textOf(params, length));
  if (given === null) return failure("the arguments are not JSON");
  const from = unitOf(given.textOf("from"));
  const to = unitOf(given.textOf("to"));
  if (from === null || to === null) return failure("unknown unit; known are " + names());
  if (from.quantity != to.quantity) {
    return failure(from.name + " is a unit of " + from.quantity + ", and " + to.name + " one of " + to.quantity);
  }
  const base = given.numberOf("value") * from.factor + from.offset;
  // Nine significant digits hide the error of the floating point.
  const value = rounded((base - to.offset) / to.factor);
  return success('{"value":' + plain(value) + ',"unit":' + quoted(to.name) + "}");
}

function rounded(value: f64): f64 {
  if (value == 0 || !isFinite(value)) return value;
  const digits = 9 - Math.ceil(Math.log10(Math.abs(value)));
  const factor = Math.pow(10, digits);
  return Math.round(value * factor) / factor;
}

/** Text of a number without the ".0" of whole ones. */
function plain(value: f64): string {
  const text = value.toString();
  return text.endsWith(".0") ? text.substring(0, text.length - 2) : text;
}
