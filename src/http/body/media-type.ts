/** The two ways in which HTML forms are sent. @param type the Content-Type; empty if there is none */
export const isUrlEncoded = (type: string): boolean => /^\s*application\/x-www-form-urlencoded\b/i.test(type);
export const isMultipart = (type: string): boolean => /^\s*multipart\/form-data\b/i.test(type);
