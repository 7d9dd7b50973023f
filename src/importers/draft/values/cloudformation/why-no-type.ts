/** The reason why a draft has nothing for a type of a CloudFormation template; undefined for the vendor's own types. */
export function whyNoTypeOfStack(type: string): string | undefined {
  if (type.startsWith("AWS::Serverless::"))
    return "AWS SAM makes several resources of it, or takes code from the folder: write them as the template that CloudFormation shows after processing.";
  if (type.startsWith("Custom::") || type === "AWS::CloudFormation::CustomResource")
    return "A function of the stack makes it while the stack is deployed, and a draft calls none.";
  return undefined;
}
