// What the person chose about contrast and density, before the first paint. Written by ui/js/prefs.jsx.
for (const name of ["contrast", "density"]) {
  try {
    const chosen = localStorage.getItem(`parley.${name}`);
    if (chosen) document.documentElement.dataset[name] = chosen;
  } catch { /* storage may be off */ }
}
