/** States of a message that a relay may have had. */
export const WENT = "('dot', 'sent', 'bounced', 'uncertain')";
