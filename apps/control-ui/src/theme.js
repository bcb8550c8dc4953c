// Runs before the first paint, so that the page never shows the wrong theme.
try {
  const theme = localStorage.getItem("openclaw.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the theme of the system then applies.
}
