import { stripComments } from "jsonc-parser";
import type { ImportFile } from "#importers/import-file.ts";
import type { FormatParserOf, ReadFile } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { joinedPath } from "#importers/joined-path.ts";
import { parsedFormat } from "#importers/single-files.ts";
import { membersOf, memberOf, type DataNode } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { readJson } from "#platform/json.ts";
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
  const templates = new Map<string, DataNode>();
  /** The paths of templates by the last part. */
  const named = new Map<string, string[]>();
  for (const [path, root] of roots) {
    if (root === undefined || root === "parameters") continue;
    templates.set(path, root);
    const others = named.get(lastOf(path));
    if (others === undefined) named.set(lastOf(path), [path]);
    else others.push(path);
  }
  const within = new Map<string, readonly string[]>();
  const at = (path: string | undefined) => {
    const root = templates.get(path ?? "");
    return path === undefined || root === undefined ? undefined : { path, root };
  };
  return (from, end) => {
    const folder = from.includes("/") ? from.slice(0, from.lastIndexOf("/")) : ".";
    const isAddress = /^[a-z]+:\/\//i.test(end);
    const beside = isAddress ? undefined : at(joinedPath(folder, end.replace(/^\/+/, "")));
    if (beside !== undefined) return beside;
    const last = end.replace(/^[./]+/, "");
    const name = isAddress ? lastOf(last) : last;
    const key = `${folder}\n${name}`;
    const known = within.get(key) ?? (named.get(lastOf(name)) ?? []).filter(isWithin(folder, name));
    within.set(key, known);
    const [only, ...others] = known.filter((path) => path !== from);
    return others.length === 0 ? at(only) : undefined;
  };
}

function isWithin(folder: string, name: string): (path: string) => boolean {
  const start = folder === "." ? "" : `${folder}/`;
  return (path) => path.startsWith(start) && `/${path}`.endsWith(`/${name}`);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
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
