/** The socket's ears and mouth, mended: see mends.h. */
#pragma once
#include "mends.h"
#include "tags.h"

#include "ns3/internet-module.h"
#include "ns3/ipv4-end-point.h"

#include <cmath>
#include <set>

namespace ns3
{

/** Round trips by what packets carry, and ACKs that tell of SACK without bytes. */
class TellingSocket : public TcpSocketBase
{
  public:
    TellingSocket() = default;

    TellingSocket(const TellingSocket& other)
        : TcpSocketBase(other)
    {
    }

    /** On the empty network. */
    void SetFirstRoundTrip(double ps)
    {
        m_srtt = ps;
        m_rttvar = ps / 2;
    }

    /** The flow has ended. */
    void Deafen()
    {
        m_isDeaf = true;
    }

  protected:
    void CompleteFork(Ptr<Packet> packet,
                      const TcpHeader& header,
                      const Address& from,
                      const Address& to) override
    {
        TcpSocketBase::CompleteFork(packet, header, from, to);
        m_endPoint->SetRxCallback(MakeCallback(&TellingSocket::Hear, this));
    }

    void DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to) override
    {
        LeftTag left;
        m_hasLeft = packet->PeekPacketTag(left);
        m_left = left.first;
        if (Mends("dctcp"))
        {
            m_ecnCESeq = SequenceNumber32(0); // Or the mark of a repeated packet is not heard.
        }
        TcpSocketBase::DoForwardUp(packet, from, to);
    }

    void EstimateRtt(const TcpHeader& header) override
    {
        if (!Mends("samples"))
        {
            TcpSocketBase::EstimateRtt(header);
            return;
        }
        m_history.clear();
        if (m_hasLeft && header.GetAckNumber() > m_txBuffer->HeadSequence())
        {
            const double ps = Simulator::Now().GetPicoSeconds() - m_left;
            m_rttvar += (std::abs(m_srtt - ps) - m_rttvar) / 4;
            m_srtt += (ps - m_srtt) / 8;
            m_rto = Rto();
        }
    }

    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override
    {
        m_drawnBy = header.GetSequenceNumber();
        m_hasDrawnLeft = m_hasLeft;
        m_drawnLeft = m_left;
        if (m_drawnBy > m_tcb->m_rxBuffer->NextRxSequence())
        {
            m_early.insert(m_drawnBy);
        }
        TcpSocketBase::ReceivedData(packet, header);
    }

    void SendEmptyPacket(uint8_t flags) override
    {
        if (m_isDeaf)
        {
            return;
        }
        if (Mends("dctcp") && m_isMarked)
        {
            flags |= TcpHeader::ECE;
        }
        Tag_();
        const bool isSack = m_sackEnabled;
        m_tellsByTag = isSack && Mends("sack-size") && !(flags & TcpHeader::SYN);
        m_sackEnabled = isSack && !m_tellsByTag;
        TcpSocketBase::SendEmptyPacket(flags);
        m_sackEnabled = isSack;
        // Old data are answered before they come to ReceivedData.
        m_drawnBy = SequenceNumber32(0);
        m_hasDrawnLeft = false;
    }

    /** The header with the block that rode on its packet. */
    TcpHeader WithBlock(Ptr<Packet> packet, const TcpHeader& header)
    {
        TcpHeader heard = header;
        SackTag tag;
        if (packet->RemovePacketTag(tag))
        {
            Ptr<TcpOptionSack> option = CreateObject<TcpOptionSack>();
            option->AddSackBlock({SequenceNumber32(tag.first), SequenceNumber32(tag.second)});
            heard.AppendOption(option);
        }
        return heard;
    }

    /** Before each packet with data. */
    void OnSending(bool isAgain)
    {
        if (!m_hasSent && Mends("samples"))
        {
            m_rto = Rto();
        }
        m_hasSent = true;
        m_isAgain = isAgain;
        Tag_();
    }

    /** RFC 6298, section 2. */
    Time Rto() const
    {
        return Max(PicoSeconds(int64_t(std::ceil(m_srtt + 4 * m_rttvar))), m_minRto);
    }

  private:
    /** Old data are answered before anything else hears of their marks. */
    void Hear(Ptr<Packet> packet, Ipv4Header ip, uint16_t port, Ptr<Ipv4Interface> interface)
    {
        m_isMarked = ip.GetEcn() == Ipv4Header::ECN_CE;
        ForwardUp(packet, ip, port, interface);
    }

    /** Not before the first packet: what listens hands its traces down to those it forks. */
    void Tag_()
    {
        if (!m_isTagging)
        {
            TraceConnectWithoutContext("Tx", MakeCallback(&TellingSocket::OnTx, this));
            m_isTagging = true;
        }
    }

    void OnTx(Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>)
    {
        if (packet->GetSize() > 0)
        {
            if (m_isAgain)
            {
                packet->AddPacketTag(AgainTag());
            }
            return;
        }
        if (m_hasDrawnLeft)
        {
            packet->AddPacketTag(LeftTag(m_drawnLeft, 0));
        }
        if (!m_tellsByTag)
        {
            return;
        }
        const uint32_t segment = m_tcb->m_segmentSize;
        if (m_early.count(m_drawnBy) == 0 || m_drawnBy < m_tcb->m_rxBuffer->NextRxSequence())
        {
            return;
        }
        SequenceNumber32 first = m_drawnBy;
        SequenceNumber32 last = m_drawnBy;
        while (m_early.count(first - segment) > 0)
        {
            first -= segment;
        }
        while (m_early.count(last + segment) > 0)
        {
            last += segment;
        }
        packet->AddPacketTag(SackTag(first.GetValue(), last.GetValue() + segment));
    }

    bool m_isDeaf = false;
    bool m_isMarked = false;
    double m_srtt = 0;
    double m_rttvar = 0;
    bool m_hasSent = false;
    bool m_isAgain = false;
    bool m_hasLeft = false;
    uint64_t m_left = 0;
    bool m_hasDrawnLeft = false;
    uint64_t m_drawnLeft = 0;
    bool m_isTagging = false;
    bool m_tellsByTag = false;
    SequenceNumber32 m_drawnBy{0};
    /** At the receiver: what has come before its turn. */
    std::set<SequenceNumber32> m_early;
};

} // namespace ns3
