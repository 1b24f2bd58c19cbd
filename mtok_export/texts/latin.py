"""Sentences in languages that are written in the Latin script."""

from __future__ import annotations

LATIN: dict[str, tuple[str, ...]] = {
    "English": (
        "The night train was late again, so we shared a pot of tea on the platform.",
        "Whoever left the gate open owes the neighbours forty-one sheep.",
        "Naïve as it was, her façade of calm carried the whole meeting.",
        "Is it I, or is the lighthouse blinking faster than it did yesterday?",
    ),
    "German": (
        "Zwölf Kähne lagen still am Ufer, während über den Dächern die Störche kreisten.",
        "Die Straßenbahnhaltestellenbeleuchtung flackert seit Dienstag.",
        "„Grüß Gott!“, rief der Müller und zog höflich den Hut.",
    ),
    "French": (
        "L'été dernier, nous avons planté un cœur de laitue près du vieux chêne.",
        "« Où est passée la clé ? » demanda-t-elle à l'hôtelier.",
        "Ça m'a coûté vingt-deux euros et beaucoup de patience.",
    ),
    "Spanish": (
        "¿Quién apagó la lámpara del pasillo mientras leíamos?",
        "¡Qué lástima que el pingüino no sepa volar!",
        "Mañana iremos al río con mi abuela y su perro pequeño.",
    ),
    "Portuguese": (
        "A avó pôs três maçãs na cesta e não disse nada.",
        "Amanhã haverá previsão de chuva em São Luís, segundo o jornal.",
        "Eles têm razão: o pão de ontem está melhor.",
    ),
    "Italian": (
        "Perché il caffè è già finito? Ne avevo comprato più di un chilo.",
        "Sull'isola c'è un faro che nessuno ha mai acceso.",
    ),
    "Dutch": (
        "De kat van de buren zit 's morgens altijd op ons dak.",
        "Het ijs was zó dun dat niemand erop durfde te staan.",
        "Coördinatie en ideeën: daar draait het om, zei hij.",
    ),
    "Catalan": (
        "La col·lecció de mapes és a l'armari de l'àvia.",
        "Demà farem l'esmorzar a la plaça, si no plou.",
    ),
    "Romanian": (
        "Țăranii își strâng fânul înainte să înceapă ploaia.",
        "Câți ani are stejarul din fața școlii?",
    ),
    "Swedish": (
        "På våren blommar äppelträden längs den gamla ån.",
        "Öppna fönstret, så hör du göken.",
    ),
    "Danish": (
        "Æblegrøden smagte bedre, da vi spiste den på øen.",
        "Hvorfor går måneden så hurtigt?",
    ),
    "Norwegian": (
        "Fjorden lå speilblank, og båten vår gled stille forbi.",
        "Vi kjøpte fersk brød og blåbær på torget.",
    ),
    "Icelandic": (
        "Hvað þýðir þetta orð, og hver skrifaði það á vegginn?",
        "Æðurin flaug yfir fjörðinn í ljósaskiptunum.",
        "Ég á þrjá hesta og eina kú.",
    ),
    "Finnish": (
        "Yöllä järven pinta jäätyi, ja aamulla hiihdimme sen yli.",
        "Lentokonesuihkuturbiinimoottori ei mahdu tähän laatikkoon.",
    ),
    "Estonian": (
        "Õhtul läks külm ja me panime ahju puid juurde.",
        "Kas sa nägid täna öösel tähti?",
    ),
    "Latvian": (
        "Ķēniņš aizmirsa savu cepuri pie ezera.",
        "Šodien mēs ēdām svaigu maizi ar medu.",
    ),
    "Lithuanian": (
        "Žąsys ėjo per ūkanotą pievą į upę.",
        "Ar galėtum įjungti šviesą virtuvėje?",
    ),
    "Polish": (
        "Żółty źrebak stał w deszczu i czekał na swoją matkę.",
        "Gdzie się podziały klucze, które wczoraj położyłem na półce?",
        "Święta spędziliśmy w górach, wśród gęstej mgły.",
    ),
    "Czech": (
        "Příští čtvrtek pojedeme vlakem do Plzně a zpět.",
        "Žluťásek seděl na květině a třepal křídly.",
    ),
    "Slovak": (
        "Ľudia stáli pri moste a hľadali stratené kľúče.",
        "Ôsma hodina odbila a dážď neprestával.",
    ),
    "Slovene": (
        "Čez reko vodi ozka brv, ki jo je zgradil moj ded.",
        "Žabe so vso noč glasno regljale.",
    ),
    "Croatian": (
        "Ždral je sletio na polje tek kad se magla podigla.",
        "Đak je zaboravio svoju bilježnicu u vlaku.",
    ),
    "Hungarian": (
        "Az öreg tűzoltó hűvös vízzel töltötte meg a kancsót.",
        "Hová tűnt a nagymama fényképe a falról?",
    ),
    "Albanian": (
        "Gjyshja përgatiti çaj mali për të gjithë fqinjët.",
        "Ku e le çantën time të zezë?",
    ),
    "Maltese": (
        "Il-qattus raqad fuq il-ħitan sħan tal-għalqa.",
        "X'ħin jasal il-vapur minn Għawdex?",
    ),
    "Irish": (
        "Tá an ghrian ag dul faoi taobh thiar den oileán.",
        "Cá bhfuil an t-úll a d'fhág mé ar an mbord?",
    ),
    "Welsh": (
        "Mae'r dŵr yn oer, ond mae'r plant yn nofio beth bynnag.",
        "Ble mae fy nghot newydd?",
    ),
    "Basque": (
        "Itsasontzia goizean goiz iritsi zen kaira.",
        "Non dago amonaren etxeko giltza?",
    ),
    "Turkish": (
        "İstanbul'da ışıklar sönünce ığdır ağacı bile görünmez.",
        "Çocuğun şapkası rüzgârda uçup göle düştü.",
        "DİYARBAKIR'DAN GELEN OTOBÜS KAÇTA KALKIYOR?",
    ),
    "Azerbaijani": (
        "Şəhərin köhnə qalasında axşamlar həmişə sərin olur.",
        "Gözəl çiçəklər bağçada açılıb.",
    ),
    "Uzbek": (
        "Oʻzim ekkan oʻrik daraxti bu yil birinchi marta gulladi.",
        "Choyxonada gʻijjak ovozi eshitildi.",
    ),
    "Vietnamese": (
        "Chiều nay trời mưa, nên bà ngoại nấu một nồi phở thật nóng.",
        "Những con thuyền nhỏ trở về bến trước khi bão đến.",
        "Ở đâu có đường ngắn nhất để ra chợ vậy?",
        "Người thợ mộc sửa chiếc ghế gãy bằng hai mảnh gỗ mỏng.",
    ),
    "Indonesian": (
        "Anak-anak bermain layang-layang di tepi sawah sepanjang sore.",
        "Berapa harga ikan kering itu, Bu?",
    ),
    "Tagalog": (
        "Nagluto si Lola ng sinigang habang umuulan sa labas.",
        "Saan mo inilagay ang payong ko kagabi?",
    ),
    "Hawaiian": (
        "Ua heleleʻi ka ua ma luna o ka hale kahiko.",
        "ʻO wai ka inoa o kēia mokupuni?",
    ),
    "Maori": (
        "Kei te tākaro ngā tamariki i te tāhuna.",
        "He aha tēnā manu e waiata ana?",
    ),
    "Swahili": (
        "Mvua ilinyesha usiku kucha, na mto ukajaa maji.",
        "Ni nani aliyeacha baiskeli yake mbele ya duka?",
        "Watoto wanaimba wimbo wa zamani chini ya mwembe.",
    ),
    "Yoruba": (
        "Ọmọ náà ń ṣeré lábẹ́ igi ọ̀pẹ ní ìrọ̀lẹ́.",
        "Ẹ káàárọ̀, ṣé dáadáa ni ẹ jí?",
        "Ìyá mi ra ẹ̀wà àti iṣu ní ọjà.",
    ),
    "Igbo": (
        "Ụmụaka na-egwu egwu n'okpuru osisi ụkwụ.",
        "Kedu ebe ị na-aga ụtụtụ a?",
    ),
    "Hausa": (
        "Ɗan kasuwa ya sayi ƙwai guda goma a kasuwa.",
        "Ina ƙofar gidan da muka ziyarta jiya?",
    ),
    "Oromo": (
        "Bishaan laga keessaa ganama ganama ni qabbanaa'a.",
        "Ijoolleen muka jala taa'anii sirba faarfatu.",
        "Eessa deemta, obboleessa koo?",
    ),
    "Somali": (
        "Carruurtu waxay ku ciyaarayaan geedka hoostiisa.",
        "Xaggee baad dhigtay furihii guriga?",
    ),
    "Zulu": (
        "Izingane zidlala ngaphansi kwesihlahla esikhulu.",
        "Uyaphi namhlanje ekuseni, gogo?",
    ),
    "Afrikaans": (
        "Die wind waai die môre so sterk dat die hê-hê-voëls stilbly.",
        "'n Ou man het sy hoed in die rivier verloor.",
    ),
    "Haitian Creole": (
        "Timoun yo ap kouri dèyè yon bèl papiyon jòn.",
        "Ki kote ou te mete liv la?",
    ),
    "Quechua": (
        "Wasi qhipapi hatun sach'a sayachkan.",
        "Maymantataq kay ñan hamuchkan?",
    ),
    "Esperanto": (
        "Ĉu vi aŭdis, ke la ŝipo ĝis nun ne eliris el la haveno?",
        "Ĵaŭde ni manĝos kuŝante sub la ĉerizarbo.",
    ),
    "Latin": (
        "Agricola vesperi boves ad flumen ducit et de pluvia cogitat.",
        "Vbi est clāvis quam herī in mēnsā relīquī?",
    ),
}
