/** The style of every page except those of the reference and the console; each page adds its own. */
export const pageStyle = `
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 1.25rem}
h2{font-size:1.0625rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0 0 .25rem}
p{margin:.25rem 0}
ul{list-style:none;margin:0;padding:0}
.soft{color:var(--soft);font-size:.875rem}
.list{border:1px solid var(--line);border-radius:10px}
.list li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.75rem 1.25rem}
.list li+li{border-top:1px solid var(--line)}
footer{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line)}
`;
