/** What a person chose, and what of it an import takes. Nothing is sent from here. */

const skippedFolders = new Set([".git", ".terraform", ".terragrunt-cache", "node_modules"]);
/** The names of all files that some format has (docs/imports.md), and of those that Terraform's files mostly read. */
const readableName =
  /\.(?:tf|tofu|tfvars|tfstate|jsonc?|ya?ml|template|cfn|cform|stack|bicep|tpl|tftpl|tmpl|sh|ps1|conf|cfg|service|sql|txt|pub)$|\.tfstate\.(?:[\w-]+\.)?backup$|(?:^|\/)Kustomization$/i;
/** A folder that has more is not a project's: nobody waits for it. */
const MAX_FOUND = 20_000;

/** What was dropped: files, and folders with all that is in them. */
export async function droppedFiles({ items }) {
  // The items are gone once the event is over.
  const dropped = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found = { files: [], folders: [], isCut: false };
  for (const entry of dropped) await walk(entry, entry.name, found);
  return withoutRoot(found);
}

async function walk(entry, path, found) {
  if (found.files.length >= MAX_FOUND) {
    found.isCut = true;
    return;
  }
  if (entry.isFile) {
    found.files.push({ path, file: await new Promise((take, fail) => entry.file(take, fail)) });
    return;
  }
  if (skippedFolders.has(entry.name)) {
    found.folders.push(path);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // It gives a hundred at a time, and none at the end.
    const some = await new Promise((take, fail) => reader.readEntries(take, fail));
    if (some.length === 0) return;
    for (const one of some) await walk(one, `${path}/${one.name}`, found);
  }
}

/** What an input has: files, or those of a folder. */
export function chosenFiles(list) {
  const folders = new Set();
  const files = [];
  for (const file of list) {
    const path = file.webkitRelativePath || file.name;
    const parts = path.split("/");
    const at = parts.slice(0, -1).findIndex((part) => skippedFolders.has(part));
    if (at === -1) files.push({ path, file });
    else folders.add(parts.slice(0, at + 1).join("/"));
  }
  const isCut = files.length > MAX_FOUND;
  return withoutRoot({ files: files.slice(0, MAX_FOUND), folders: [...folders], isCut });
}

/** Of one folder the paths start in it: it is the root of the project. */
function withoutRoot(found) {
  const [root] = found.files[0]?.path.split("/") ?? [];
  if (!found.files.every(({ path }) => path.startsWith(`${root}/`))) return found;
  const files = found.files.map(({ path, file }) => ({ path: path.slice(root.length + 1), file }));
  return { ...found, files };
}

/**
 * Reads what an import takes of the files, and says what it leaves out and why. `left`: paths by reason. `excess`: they
 * are more than an import takes, of `files` or of `bytes`; then they are not all read. `isWanted`: goes on while it is
 * true.
 */
export async function readFiles(found, limits, { everyKind, tell, isWanted }) {
  const left = { kind: [], size: [], binary: [], unreadable: [] };
  const wanted = found.files
    .filter(({ path, file }) => {
      const reason =
        !everyKind && !readableName.test(path)
          ? "kind"
          : file.size > limits.fileBytes
            ? "size"
            : undefined;
      if (reason !== undefined) left[reason].push(path);
      return reason === undefined;
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files = [];
  let bytes = 0;
  const excess = () =>
    files.length > limits.files ? "files" : bytes > limits.totalBytes ? "bytes" : undefined;
  for (const [at, { path, file }] of wanted.entries()) {
    if (!isWanted()) break;
    if (at % 50 === 0) tell(at, wanted.length);
    const content = await file.arrayBuffer().catch(() => undefined);
    const text = content && textOf(content);
    if (text === undefined) {
      left[content === undefined ? "unreadable" : "binary"].push(path);
      continue;
    }
    bytes += content.byteLength;
    files.push({ path, text, bytes: content.byteLength, ...caution(path, text) });
    if (excess() !== undefined) break;
  }
  return { files, bytes, left, excess: excess(), isCut: found.isCut, folders: found.folders };
}

/** Undefined: it is not text. A byte order mark stays, so that the service sees the file as it is. */
function textOf(content) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Why somebody may want to keep a file to themselves. `lines`: where it seems to hold secrets. */
export function caution(path, text) {
  if (/\.tfstate(?:\.(?:[\w-]+\.)?backup)?$/i.test(path)) return { caution: "state" };
  if (/\.tfvars(?:\.json)?$|(?:^|\/)Pulumi\.[^/]+\.ya?ml$|[.-]parameters\.json$/i.test(path))
    return { caution: "values" };
  if (/\.json$/i.test(path)) {
    if (/"(?:planned_values|resource_changes)"\s{0,9}:/.test(text)) return { caution: "plan" };
    if (/"(?:lineage|terraform_version)"\s{0,9}:/.test(text)) return { caution: "state" };
  }
  const lines = secretLines(text);
  return lines.length === 0 ? {} : { caution: "secrets", lines };
}

const secret = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/,
  /:\/\/[^/@\s:]{1,256}:[^/@\s$]{1,256}@/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(?:ghp|gho|ghs|github_pat|glpat|xoxb|dop_v1|sk_live)[_-][A-Za-z0-9_-]{16}/,
  /(?:password|passwd|pwd|secret|token|api_?key|access_?key|private_?key)["']?\s{0,20}[=:]\s{0,20}["'][^"'$<{\s][^"'${]{3}/i,
];

function secretLines(text) {
  return text
    .split("\n")
    .flatMap((line, at) => (secret.some((one) => one.test(line)) ? [at + 1] : []));
}

/** The JSON object in the file. Throws what a person can read. PowerShell writes UTF-16. */
export async function reportIn(file) {
  const content = await file.arrayBuffer();
  const [first, second] = new Uint8Array(content, 0, Math.min(2, content.byteLength));
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";
  let report;
  try {
    report = JSON.parse(new TextDecoder(encoding).decode(content));
  } catch (cause) {
    throw new Error(`${file.name} is not JSON: ${cause.message}`, { cause });
  }
  if (report === null || typeof report !== "object" || Array.isArray(report))
    throw new Error(`${file.name} has to be a JSON object.`);
  return report;
}
