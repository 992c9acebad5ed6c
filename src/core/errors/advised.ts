/** Something is as it should not be, and the message says what to do. So nobody puts advice of their own behind it. */
export class Advised extends Error {}
