/** The style of the sign-in page, and of the development identity provider. */
import { pageStyle } from "#http/pages/page-style.ts";

export const signInStyle = `${pageStyle}
a{color:var(--mark)}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
body:has(.narrow){background:var(--wash)}
.narrow{max-width:27rem;margin:clamp(0rem,8vh,5rem) auto 0;padding:2rem 1.75rem;background:var(--page);border:1px solid var(--line);border-radius:14px}
.brand{font-weight:650;color:var(--soft);margin:0 0 .5rem}
.note{border:1px solid var(--line);background:var(--wash);border-radius:10px;padding:1rem 1.25rem;margin:0 0 1.25rem}
.bad{border-color:var(--bad);background:var(--bad-wash)}
.bad strong{color:var(--bad)}
.choices li+li{margin-top:.75rem}
.button{display:inline-block;font:inherit;font-weight:600;line-height:1.4;text-align:center;text-decoration:none;cursor:pointer;color:var(--ink);background:var(--page);border:1px solid var(--edge);border-radius:10px;padding:.6rem 1.1rem}
.button:hover{background:var(--wash)}
.button:disabled{opacity:.6;cursor:default}
.main{background:var(--mark);border-color:var(--mark);color:var(--on-mark)}
.main:hover{background:var(--mark);text-decoration:underline}
.button .soft{font-weight:400}
.narrow .button{display:block;width:100%;padding:.8rem 1.1rem}
.below{margin:1.5rem 0 0;text-align:center}
.or{margin:1.5rem 0 .75rem;color:var(--soft)}
.narrow p+p .main{margin-top:1rem}
.narrow .note{padding:.85rem 1rem}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:1rem;margin:1rem 0}
label{display:block;font-weight:600}
input{display:block;width:100%;font:inherit;font-weight:400;color:var(--ink);background:var(--page);border:1px solid var(--edge);border-radius:8px;height:2.75rem;padding:.5rem .65rem;margin-top:.25rem}
code{font:.9375rem/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
`;
