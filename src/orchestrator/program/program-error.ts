/** The run cannot be carried out as it was frozen. */
export class ProgramError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
