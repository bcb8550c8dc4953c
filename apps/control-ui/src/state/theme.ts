import { signal } from "@preact/signals";

/** Chosen theme; `system` follows the operating system. */
export type Theme = "system" | "light" | "dark";

const STORED = "openclaw.theme";

/** Theme in use. */
export const theme = signal<Theme>(storedTheme());

/** Chooses a theme, for later visits too. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  const root = document.documentElement;
  if (chosen === "system") delete root.dataset.theme;
  else root.dataset.theme = chosen;
  try {
    if (chosen === "system") localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, chosen);
  } catch {
    // Without storage the choice ends with the page.
  }
}

/** Chooses the next of the three themes. */
export function nextTheme(): void {
  const order: readonly Theme[] = ["system", "light", "dark"];
  chooseTheme(order[(order.indexOf(theme.value) + 1) % order.length] ?? "system");
}

function storedTheme(): Theme {
  const { theme: chosen } = document.documentElement.dataset;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}
