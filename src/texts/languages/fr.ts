import type { Texts } from "./en.ts";

export const fr: Texts = {
  page: {
    optional: "(facultatif)",
    close: "Vous pouvez fermer cette page.",
  },
  brokenLink: {
    heading: "Ce lien ne fonctionne pas",
    why: "Il est incomplet ou a été modifié en chemin. Ouvrez-le de nouveau depuis l’e-mail, ou copiez-le en entier\u00a0: il est peut-être coupé sur deux lignes.",
    wayOut:
      "Pour ne plus recevoir un e-mail, utilisez le lien «\u00a0Se désabonner\u00a0» à la fin de celui-ci.",
  },
  testMail: {
    heading: "Ceci était un test",
    explain:
      "Ce lien vient d’un e-mail de test et ne change rien pour personne. Dans l’e-mail réellement envoyé, il fonctionne.",
  },
  unsubscribe: {
    title: "Se désabonner de {sender}",
    heading: "Se désabonner de ces e\u2011mails\u00a0?",
    usedBefore: "Cette adresse a déjà été désabonnée avec ce lien.",
    pressAgain: "Si des e-mails arrivent encore, cliquez de nouveau sur le bouton.",
    explain:
      "Cliquez sur le bouton, et {address} ne recevra plus de newsletters ni d’autres e-mails promotionnels, quelle que soit la liste. L’effet est immédiat.",
    why: "Pourquoi\u00a0?",
    whyOptional: "(facultatif, pour l’expéditeur)",
    button: "Se désabonner",
    chooseInstead: "Ou choisir les e-mails que vous recevez",
    noWayBack:
      "Un clic ne suffira pas pour revenir en arrière\u00a0: pour recevoir de nouveau ces e-mails plus tard, adressez-vous à l’expéditeur. Pour continuer à les recevoir, fermez simplement cette page.",
    doneTitle: "Désabonnement de {sender}",
    doneHeading: "Votre désabonnement est enregistré",
    done: "Désormais, {address} ne recevra plus de newsletters ni d’autres e-mails promotionnels.",
    stillComes: "Une réponse à vos propres actions, comme un reçu, peut encore vous parvenir.",
  },
  preferences: {
    title: "Vos e-mails de {sender}",
    heading: "Choisissez vos e\u2011mails",
    explain: "Cochez ce que vous souhaitez recevoir à l’adresse {address}.",
    pending: "Votre inscription n’est pas encore confirmée. Ces e-mails arriveront dès qu’elle le sera.",
    lists: "E-mails",
    name: "Votre nom",
    save: "Enregistrer",
    saved: "Votre choix est enregistré.",
    leaveHeading: "Plus aucun e\u2011mail\u00a0?",
    leaveExplain:
      "Ceci met fin à toutes les newsletters et à tous les autres e-mails promotionnels de {sender}, même à ceux qui ne figurent pas ici. Un clic ne suffira pas pour revenir en arrière.",
    leave: "Se désabonner de tout",
    outHeading: "Vous ne recevez aucun e\u2011mail",
    out: "Aucune newsletter ni aucun autre e-mail promotionnel de {sender} n’est envoyé à {address}.",
    askSender:
      "Cette page ne permet pas de le changer. Pour les recevoir de nouveau, adressez-vous à l’expéditeur.",
  },
  confirm: {
    heading: "Confirmez votre inscription",
    explain: "Cliquez sur le bouton, et {address} recevra les e-mails de {sender}.",
    button: "Confirmer l’inscription",
    notYou: "Si vous n’avez rien demandé, fermez simplement cette page\u00a0: vous ne recevrez rien de plus.",
    doneHeading: "Votre inscription est confirmée",
    done: "{address} est confirmée et recevra les e-mails de {sender}.",
    wayOut: "Chaque e-mail contient un lien pour se désabonner.",
    expiredHeading: "Ce lien a expiré",
    expired: "Un lien de confirmation sert une seule fois, pendant {days} jours. Rien n’a été modifié.",
    signUpAgain: "S’inscrire de nouveau pour recevoir un nouveau lien",
    findForm: "Veuillez vous inscrire de nouveau là où vous avez trouvé le formulaire.",
    deadHeading: "Ce lien n’est plus valable",
    dead: "Depuis son envoi, {address} a été retirée des e-mails de {sender}, et un lien ne peut pas annuler cela.",
    askSender:
      "Pour recevoir de nouveau des nouvelles de {sender}, adressez-vous directement à cet expéditeur.",
  },
  form: {
    email: "Adresse e-mail",
    firstName: "Prénom",
    lastName: "Nom",
    button: "S’inscrire",
    trap: "Laissez ce champ vide",
    checkTitle: "À vérifier\u00a0: {form}",
    thanksTitle: "Merci",
    thanks: "Merci\u00a0! Votre inscription est enregistrée.",
    oneMoreStep: "Merci\u00a0! Encore une étape.",
    inbox:
      "Consultez votre boîte de réception\u00a0: si cette adresse n’est pas déjà inscrite, un e-mail contenant un lien de confirmation est en route.",
    refusedTitle: "Inscription refusée",
    back: "L’inscription n’a pas été faite. Pour réessayer, revenez au formulaire.",
    noFormTitle: "Formulaire introuvable",
    noForm: "Ce formulaire n’existe pas.",
    takenDown: "Il a peut-être été retiré.",
    failed: "Cela n’a pas fonctionné. Veuillez réessayer.",
    offline: "Il n’y a pas de connexion. Veuillez réessayer.",
    hasty: "C’était très rapide. Veuillez cliquer encore une fois sur le bouton.",
    tooMany: "Trop d’inscriptions sont venues de votre réseau. Veuillez réessayer dans quelques minutes.",
    foreignSite: "Ce formulaire ne peut pas être utilisé depuis ce site web.",
    tooLarge: "C’est plus que ce que ce formulaire accepte.",
    tooSlow: "Cela a pris trop de temps. Veuillez réessayer.",
    bounced: "Cette adresse e-mail ne peut pas être réinscrite.",
    domainBlocked: "Les adresses e-mail de ce fournisseur ne peuvent pas être inscrites ici.",
    noAddress: "L’adresse e-mail manque. Indiquez-en une, par exemple ada@example.com.",
    badAddress: "Cette adresse e-mail n’est pas complète. Indiquez-en une comme ada@example.com.",
    tooLong: "Le champ {field} contient plus de {max} caractères. Veuillez le raccourcir.",
    noText: "Le champ {field} doit être du texte.",
  },
  footer: {
    unsubscribe: "Se désabonner",
    preferences: "Préférences",
  },
  confirmationMail: {
    subject: "Veuillez confirmer votre inscription auprès de {sender}",
    heading: "Veuillez confirmer votre inscription",
    preview: "Un clic, et votre inscription auprès de {sender} est faite.",
    explain:
      "Quelqu’un, vous-même nous l’espérons, a inscrit cette adresse pour recevoir les e-mails de {sender}.",
    pressButton: "Cliquez sur le bouton pour confirmer que c’est bien ce que vous souhaitez.",
    openLink:
      "Pour confirmer que c’est bien ce que vous souhaitez, ouvrez cette adresse et cliquez sur le bouton qui s’y trouve\u00a0:",
    valid:
      "Le lien est valable {days} jours. Si cette inscription ne vient pas de vous, ne faites rien\u00a0: sans votre confirmation, vous ne recevrez rien de plus.",
    noButton: "Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:",
  },
};
