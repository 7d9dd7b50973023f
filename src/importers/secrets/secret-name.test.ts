import { describe, expect, it } from "vitest";
import { isSecretName } from "./secret-name.ts";

describe("a name that ends in pw", () => {
  it.each([
    "sqlpw",
    "adminpw",
    "dbpw",
    "rootpw",
    "userpw",
    "mypw",
    "pgpw",
    "redispw",
    "masterpw",
    "smtppw",
    "ftppw",
    "sshpw",
    "vmpw",
    "ospw",
    "apppw",
    "SQLPW",
    "sqlPw",
    "sqladminpw",
    "mysqlrootpw",
    "prod_dbpw",
    "dbpw_old",
    "vm-adminpw",
    "sqlpwd",
    "dbpwd",
  ])("%s marks a secret", (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    "npw",
    "httpw",
    "kpw",
    "gpwn",
    "sqlpwm",
    "appwindow",
    "dbpower",
    "vmpwr",
    "ospworkspace",
    "sqlpweb",
    "upwards",
    "sql",
    "admin",
    "mypath",
    "shipwreck",
    "kdbpw",
    "leapwear",
    "dropwizard",
    "snapworks",
    "hpw",
    "pwa",
    "sshpwless",
  ])("%s is an ordinary word", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
