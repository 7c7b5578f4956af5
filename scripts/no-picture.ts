/**
 * What Playwright says of a page that runs and is not drawn: before a click it waits for two
 * pictures in which the element stands still, and in a minute none came. It cost one run of CI, and
 * was not had again on a busy machine; such a test is tried once more. What is asserted, what is
 * missing in a page and what may not be clicked fail at once.
 */
export const noPicture: RegExp =
  /Timeout \d+ms exceeded[^]*waiting for element to be visible[a-z, ]*(?:\u001B\[\d+m|\s)*$/u
