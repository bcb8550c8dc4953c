/** Colour in linear sRGB, each part from 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number];

/** Theme of the console. */
export type Theme = "light" | "dark";

/** Colours of a stylesheet with `light-dark(oklch(…), oklch(…))`, by the names of its custom properties. */
export class ColourTokens {
  readonly #values: ReadonlyMap<string, string>;

  /** @param css - stylesheet with the tokens */
  constructor(css: string) {
    const found = css.matchAll(/--([\w-]+):\s*([^;]+);/g);
    this.#values = new Map([...found].map(([, name = "", value = ""]) => [name, value.trim()]));
  }

  /**
   * Returns the contrast of two colours as WCAG 2.2 defines it, from 1 to 21.
   * @param one - name of a token without the hyphens
   * @param other - name of another one
   */
  contrast(one: string, other: string, theme: Theme): number {
    const [dark = 0, light = 0] = [one, other]
      .map((name) => luminance(this.#colour(name, theme)))
      .sort((first, second) => first - second);
    return (light + 0.05) / (dark + 0.05);
  }

  #colour(name: string, theme: Theme): Colour {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`the stylesheet has no token --${name}`);
    const alias = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
    if (alias !== undefined) return this.#colour(alias, theme);
    const colours = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)];
    const [, lightness, chroma, hue] = (theme === "dark" ? colours.at(-1) : colours[0]) ?? [];
    if (hue === undefined) throw new Error(`--${name} is not a colour: ${value}`);
    return linear(Number(lightness), Number(chroma), (Number(hue) * Math.PI) / 180);
  }
}

/** Returns a colour of OKLCH in linear sRGB, with the matrices of CSS Color 4. */
function linear(lightness: number, chroma: number, hue: number): Colour {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const inside = (part: number) => Math.min(1, Math.max(0, part));
  return [
    inside(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    inside(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    inside(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function luminance([red, green, blue]: Colour): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
