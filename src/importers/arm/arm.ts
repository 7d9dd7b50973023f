import { stripComments } from "jsonc-parser";
import type { ImportFile } from "#importers/import-file.ts";
import type { FormatParserOf, ReadFile } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { parsedFormat } from "#importers/single-files.ts";
import { memberOf, type DataNode } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { readJson } from "#platform/json.ts";
import { membersOf } from "./arm-names.ts";
import { type Linked, readTemplate } from "./arm-template.ts";
import { isArmParameters } from "./detect-arm.ts";
import { singleLineStrings } from "./single-line-strings.ts";

/**
 * Reads Azure Resource Manager templates in JSON. The templates nested in one, and the files that it links to, are part of
 * its module. A parameter file is recognised, and its values are dropped.
 */
export const armParser: FormatParserOf = (files, log) => {
  const roots = new Map<string, DataNode | "parameters" | undefined>();
  const counts = new Map<string, number>();
  return {
    read: (file) => {
      const root = rootOf(file, log);
      if (root !== undefined && isArmParameters(file.text)) {
        counts.set(file.path, membersOf(memberOf(root, "parameters")).size);
        roots.set(file.path, "parameters");
      } else roots.set(file.path, root);
    },
    finish: () => {
      const linked = linkedIn(roots);
      const inOthers = new Set<string>();
      const read = files.flatMap(({ path }): ReadFile[] => {
        if (!roots.has(path)) return [];
        const root = roots.get(path);
        if (root === undefined) {
          const reason = log.errorOf(path) ?? "not_a_template";
          return [{ verdict: { path, state: "FAILED", reason, counts: {} } }];
        }
        if (root === "parameters") {
          const parameter = counts.get(path) ?? 0;
          return [{ verdict: { path, state: "PARSED", counts: { parameter } } }];
        }
        const template = readTemplate(root, path, log, linked);
        for (const one of template.linked) inOthers.add(one);
        const { module } = template;
        const own = {
          resource: module.resources.length,
          variable: module.variables.length,
          output: module.outputs.length,
        };
        return [{ verdict: { path, state: "PARSED", counts: own }, module }];
      });
      return parsedFormat(
        read.map((one) =>
          one.module !== undefined && inOthers.has(one.module.path)
            ? { ...one, module: { ...one.module, isRoot: false } }
            : one,
        ),
      );
    },
  };
};

/** Finds a template by the end of an address: beside the linking file, or the only file with that end. */
function linkedIn(roots: ReadonlyMap<string, DataNode | "parameters" | undefined>): Linked {
  return (from, end) => {
    const folder = from.includes("/") ? from.slice(0, from.lastIndexOf("/") + 1) : "";
    const isAddress = /^[a-z]+:\/\//i.test(end);
    const wanted = resolved(`${folder}${end.replace(/^\.?\//, "")}`);
    const beside = isAddress ? undefined : roots.get(wanted);
    if (beside !== undefined && beside !== "parameters") return { path: wanted, root: beside };
    const last = end.replace(/^[./]+/, "");
    const name = isAddress ? last.slice(last.lastIndexOf("/") + 1) : last;
    const found = [...roots].filter(
      ([path, root]) =>
        root !== undefined &&
        root !== "parameters" &&
        path !== from &&
        path.startsWith(folder) &&
        `/${path}`.endsWith(`/${name}`),
    );
    const [only, ...others] = found;
    if (only === undefined || others.length > 0) return undefined;
    const [path, root] = only;
    return typeof root === "object" ? { path, root } : undefined;
  };
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  return parts.join("/");
}

function rootOf(file: ImportFile, log: ImportLog): DataNode | undefined {
  const root = loadJson({ ...file, text: withoutExtensions(file.text) }, log);
  if (root === undefined || root.kind === "map") return root;
  const message = "The file is no template: it has no sections.";
  log.add("error", "not_a_template", message, { file: file.path });
  return undefined;
}

/**
 * Converts ARM's extensions of JSON: comments become spaces, so that lines and columns stay, and strings of several
 * lines become strings of one.
 */
function withoutExtensions(text: string): string {
  if (readJson(text) !== undefined) return text;
  const plain = /\/[/*]/.test(text) ? stripComments(text, " ") : text;
  return readJson(plain) === undefined ? singleLineStrings(plain) : plain;
}
