import { expect, it } from "vitest";
import { aclSetting } from "./bucket-settings.ts";

const OWNER = "<Grantee><ID>1</ID></Grantee><Permission>FULL_CONTROL</Permission>";
const group = (name: string, right: string): string =>
  `<Grantee><URI>http://acs.amazonaws.com/groups/global/${name}</URI></Grantee><Permission>${right}</Permission>`;

it.each([
  [[], "private"],
  [[group("AllUsers", "READ")], "public-read"],
  [[group("AllUsers", "READ"), group("AllUsers", "WRITE")], "public-read-write"],
  [[group("AllUsers", "FULL_CONTROL")], "public-read-write"],
  [[group("AuthenticatedUsers", "READ")], "authenticated-read"],
])("the ACL with the owner's grant and %j is %s", (grants, acl) => {
  const all = [OWNER, ...grants].map((one) => `<Grant>${one}</Grant>`).join("");
  const text = `<AccessControlPolicy><AccessControlList>${all}</AccessControlList></AccessControlPolicy>`;
  expect(aclSetting().read(text)).toBe(acl);
});
