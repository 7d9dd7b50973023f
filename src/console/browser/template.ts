/** The script of pages with a template's source. */
import "./console.ts";
import { ids, selectorOf } from "#console/shared/page-names.ts";
import { SourcePage } from "./editor/source-page.ts";
import { optionalPart } from "./page/part.ts";

const section = optionalPart(document, selectorOf(ids.source), HTMLElement);
if (section !== null) await new SourcePage(section).start();
