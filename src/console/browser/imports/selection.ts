/** The words about the selected files: those that are left out, and those that need care. */
import { make } from "#console/browser/page/make.ts";
import { counted } from "#console/shared/counted.ts";
import type { CautionKind } from "./caution.ts";
import type { ImportLimits, LeftReason, ReadFile, ReadFiles } from "./read-files.ts";

/** The number of names in a list. */
const SHOWN = 50;
/** So many names are not folded. */
const FEW = 3;
const KIB = 1024;
const MIB = KIB * KIB;

const cautionWords: Readonly<Record<CautionKind, readonly [title: string, words: string]>> = {
  state: [
    "State",
    "A state has every value of what exists, secrets too. An import keeps addresses, types, providers, regions, dependencies and ids of it, and no other value.",
  ],
  plan: [
    "Plans",
    "A plan has the values of what it changes, secrets too. An import keeps addresses, types, providers, regions, dependencies and ids of it, and no other value.",
  ],
  values: [
    "Values of variables",
    "These files give variables their values, often secrets. An import keeps names of them, and no value.",
  ],
  secrets: [
    "Secrets",
    "These lines look like secrets. What is named or marked as a secret, or looks like one, is not kept: the draft asks for it. A secret that looks like any other text is not recognised, and may be shown in the draft.",
  ],
};
const cautionKinds: readonly CautionKind[] = ["state", "plan", "values", "secrets"];
const leftReasons: readonly LeftReason[] = ["kind", "size", "binary", "unreadable"];

export function excessWords(excess: "files" | "bytes", limits: ImportLimits): string {
  return excess === "files"
    ? `An import takes at most ${limits.files} files.`
    : `An import takes at most ${limits.totalBytes / MIB} MiB in all.`;
}

export function sizeWords(files: readonly ReadFile[]): string {
  const kib = files.reduce((sum, { bytes }) => sum + bytes, 0) / KIB;
  return kib < KIB ? `${Math.ceil(kib)} KiB` : `${(kib / KIB).toFixed(1)} MiB`;
}

function leftWords(reason: LeftReason, count: number, { fileBytes }: ImportLimits): string {
  const files = counted(count, "file");
  switch (reason) {
    case "kind":
      return `${files} of other kinds`;
    case "size":
      return `${files} over ${fileBytes / MIB} MiB`;
    case "binary":
      return `${files} that ${count === 1 ? "is" : "are"} not text in UTF-8`;
    case "unreadable":
      return `${files} that the browser cannot read`;
  }
}

/** The list of what is left out. */
export function leftOut({ folders, left, isCut }: ReadFiles, limits: ImportLimits): HTMLElement[] {
  const it = folders.length === 1 ? "it" : "them";
  const items = [
    ...(folders.length > 0
      ? [named(`${counted(folders.length, "folder")} with everything in ${it}`, folders)]
      : []),
    ...leftReasons
      .filter((reason) => left[reason].length > 0)
      .map((reason) => named(leftWords(reason, left[reason].length, limits), left[reason])),
    ...(isCut
      ? [make("li", {}, "Everything after the first 20,000 files: choose a smaller folder.")]
      : []),
  ];
  return items.length === 0 ? [] : [make("h2", {}, "Left out"), make("ul", {}, ...items)];
}

/** A note for each kind of files that need care. `keep`: the reader wants to send them or not. */
export function cautions(
  files: readonly ReadFile[],
  choose: (kind: CautionKind, isSent: boolean) => void,
): HTMLElement[] {
  return cautionKinds.flatMap((kind) => {
    const some = files.filter(({ caution }) => caution?.kind === kind);
    return some.length === 0 ? [] : [cautionNote(kind, some, (isSent) => choose(kind, isSent))];
  });
}

function cautionNote(
  kind: CautionKind,
  files: readonly ReadFile[],
  choose: (isSent: boolean) => void,
): HTMLElement {
  const [title, words] = cautionWords[kind];
  const box = make("input", { type: "checkbox", checked: true });
  box.addEventListener("change", () => choose(box.checked));
  const places = files.map(({ path, caution }) =>
    caution?.kind === "secrets" ? `${path}, line ${caution.lines.slice(0, 5).join(", ")}` : path,
  );
  return make(
    "div",
    { className: "note caution" },
    make("h2", {}, title),
    make("p", {}, words),
    make("ul", {}, named(counted(files.length, "file"), places)),
    make("label", { className: "flag" }, box, make("span", {}, "Send them")),
  );
}

/** An item of a list with names below it, folded unless they are few. */
export function named(words: string, names: readonly string[]): HTMLLIElement {
  const shown = names.slice(0, SHOWN).map((name) => make("li", {}, name));
  if (names.length > SHOWN) shown.push(make("li", {}, `and ${names.length - SHOWN} more`));
  const list = make("ul", { className: "names" }, ...shown);
  return make(
    "li",
    {},
    make("details", { open: names.length <= FEW }, make("summary", {}, words), list),
  );
}
