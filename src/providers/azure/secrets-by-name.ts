/**
 * What types without a row are not to show: nobody has said which of their outputs are secrets, so those are sealed that
 * are called so, down to the fourth level of `properties`.
 */
const names = [
  ..."key key1 key2 apiKey accessKey accessKeys authKey authKeys accountKey sharedKey sharedAccessKey".split(
    " ",
  ),
  ..."primaryKey secondaryKey primarySharedKey secondarySharedKey primaryAccessKey secondaryAccessKey".split(
    " ",
  ),
  ..."primaryMasterKey secondaryMasterKey primaryReadonlyMasterKey secondaryReadonlyMasterKey".split(
    " ",
  ),
  ..."adminKey queryKey privateKey functionKey masterKey systemKey instrumentationKey".split(" "),
  ..."connectionString connectionStrings primaryConnectionString secondaryConnectionString".split(
    " ",
  ),
  ..."aliasPrimaryConnectionString aliasSecondaryConnectionString ConnectionString InstrumentationKey".split(
    " ",
  ),
  ..."password adminPassword administratorLoginPassword appPassword passwords".split(" "),
  ..."secret secrets clientSecret appSecret token accessToken sas sasToken sasUri sasUrl".split(
    " ",
  ),
];

const levels = ["properties", "properties[*]", "properties[*][*]", "properties[*][*][*]"];

/** Paths of outputs, as facts have them. */
export const secretsByName: readonly string[] = [
  ...names,
  ...levels.flatMap((level) => names.map((name) => `${level}.${name}`)),
];
