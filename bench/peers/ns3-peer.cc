/*
 * The same small network in ns-3: reads one input (bench/peers/input.ts has the format), runs it,
 * and prints how each flow ended. Written for ns-3.37, Debian's libns3-dev.
 *
 * What is made equal to Weir, and how:
 *   - time is whole picoseconds (ns-3's own default, nanoseconds, truncates transmission times);
 *   - a connection's handshake is over before its flow starts, and nothing else is on the network;
 *   - every flow has two addresses of its own, so that routes by destination are paths by flow;
 *   - switches have no queue disc but DCTCP's RED: packets wait in the device's queue alone;
 *   - hosts hold whatever TCP gives them.
 * What ns-3 counts differently is turned round here: its queues do not count the packet that is
 * being sent, and RED's does not count the one that waits in the device either.
 */
#include "mended/network.h"
#include "mended/rfc-socket.h"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint16_t PORT = 5000;
constexpr uint32_t PPP_BYTES = 2;
constexpr uint32_t IP_BYTES = 20;
constexpr uint32_t ACK_BYTES = PPP_BYTES + IP_BYTES + 20;

struct Link
{
    std::string a, b;
    uint64_t bps;
    int64_t delayPs;
};

struct Flow
{
    int64_t startPs;
    uint64_t bytes;
    std::vector<std::string> path;
    // What is found.
    Ptr<Socket> sender;
    Ptr<Socket> receiver;
    uint64_t handed = 0;
    uint64_t delivered = 0;
    int64_t deliveredPs = -1;
    int64_t ackedPs = -1;
    uint64_t packets = 0;
    uint64_t wireBytes = 0;
};

struct Input
{
    std::map<std::string, std::string> words;
    std::vector<Link> links;
    std::vector<Flow> flows;

    const std::string& Word(const std::string& key) const
    {
        auto found = words.find(key);
        if (found == words.end())
        {
            std::cerr << "the input has no line '" << key << " ...'" << std::endl;
            std::exit(2);
        }
        return found->second;
    }

    uint64_t Number(const std::string& key) const
    {
        return std::stoull(Word(key));
    }
};

Input g_input;
Time g_origin; // When the inputs' time 0 is: the handshakes are over.
uint64_t g_hops = 0;
uint64_t g_drops = 0;
bool g_isOn = false; // Past the handshakes: packets count.

Input
Read(const std::string& path)
{
    Input input;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
    {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string key;
        if (!(words >> key))
        {
            continue;
        }
        if (key == "link")
        {
            Link link;
            words >> link.a >> link.b >> link.bps >> link.delayPs;
            input.links.push_back(link);
        }
        else if (key == "flow")
        {
            Flow flow;
            words >> flow.startPs >> flow.bytes;
            for (std::string node; words >> node;)
            {
                flow.path.push_back(node);
            }
            input.flows.push_back(flow);
        }
        else
        {
            words >> input.words[key];
        }
    }
    return input;
}

Time
Ps(int64_t ps)
{
    return PicoSeconds(ps);
}

bool
IsHost(const std::string& name)
{
    return name[0] == 'h';
}

// ---- The network ----------------------------------------------------------------------------

struct Network
{
    std::map<std::string, Ptr<Node>> nodes;
    // By "from to": the interface of `from` towards `to`.
    std::map<std::string, uint32_t> interfaces;
    std::vector<Ptr<QueueDisc>> discs;
    std::vector<Ptr<WholeQueue>> queues;

    Ptr<Node> At(const std::string& name)
    {
        Ptr<Node>& node = nodes[name];
        if (!node)
        {
            node = CreateObject<Node>();
            InternetStackHelper stack;
            stack.SetIpv6StackInstall(false);
            stack.Install(node);
        }
        return node;
    }
};

void
OnHop(Ptr<const Packet>)
{
    g_hops += g_isOn;
}

void
OnDrop(Ptr<const Packet>)
{
    g_drops += g_isOn;
}

// One line per arrival, for the hunt after the first packet that differs.
void
OnArrival(std::string where, Ptr<const Packet> packet)
{
    Ptr<Packet> copy = packet->Copy();
    PppHeader ppp;
    Ipv4Header ip;
    TcpHeader tcp;
    copy->RemoveHeader(ppp);
    copy->RemoveHeader(ip);
    if (!g_isOn || ip.GetProtocol() != 6)
    {
        return;
    }
    copy->RemoveHeader(tcp);
    const uint32_t flow = (ip.GetSource().Get() >> 2) & 0xffff;
    std::printf("at %ld %s flow %u seq %u ack %u payload %u ce %d ece %d\n",
                (Simulator::Now() - g_origin).GetPicoSeconds(),
                where.c_str(),
                flow,
                tcp.GetSequenceNumber().GetValue(),
                tcp.GetAckNumber().GetValue(),
                copy->GetSize(),
                ip.GetEcn() == Ipv4Header::ECN_CE,
                (tcp.GetFlags() & TcpHeader::ECE) != 0);
}

// Data on its way out of its host: when it will have left rides on it, unless it is a repetition.
void
OnLeaving(DataRate rate, Ptr<const Packet> packet)
{
    AgainTag again;
    Ptr<Packet> copy = packet->Copy();
    PppHeader ppp;
    Ipv4Header ip;
    TcpHeader tcp;
    copy->RemoveHeader(ppp);
    copy->RemoveHeader(ip);
    if (ip.GetProtocol() != 6)
    {
        return;
    }
    copy->RemoveHeader(tcp);
    if (copy->GetSize() > 0 && !packet->PeekPacketTag(again))
    {
        const Time left = Simulator::Now() + rate.CalculateBytesTxTime(packet->GetSize());
        packet->AddPacketTag(LeftTag(left.GetPicoSeconds(), 0));
    }
}

// A packet with a full segment, on the wire.
uint32_t
PacketBytes()
{
    const uint32_t header = g_input.Word("transport") == "udp" ? 8 : 20;
    return g_input.Number("mss") + header + IP_BYTES + PPP_BYTES;
}

void
AddDisc(Network& net, Ptr<NetDevice> device)
{
    // With QW = 1 the average is the queue; what finds MaxTh or more is marked. The input's bytes
    // count the packet that is sent, and the one in the device.
    const uint32_t packets = g_input.Number("queue") / PacketBytes() - 2;
    const double mark = double(g_input.Number("mark") / PacketBytes()) - 1;
    TrafficControlHelper control;
    control.SetRootQueueDisc("ns3::RedQueueDisc",
                             "MaxSize", QueueSizeValue(QueueSize(PACKETS, packets)),
                             "MinTh", DoubleValue(mark),
                             "MaxTh", DoubleValue(mark),
                             "QW", DoubleValue(1),
                             "Gentle", BooleanValue(false),
                             "UseEcn", BooleanValue(true),
                             "UseHardDrop", BooleanValue(false),
                             "MeanPktSize", UintegerValue(PacketBytes()));
    net.discs.push_back(control.Install(device).Get(0));
}

// As PointToPointHelper::Install does without flow control, with a channel of ours.
NetDeviceContainer
Join(const Link& link, Ptr<Node> a, Ptr<Node> b)
{
    Ptr<OrderedChannel> channel = CreateObject<OrderedChannel>();
    channel->number = &link - g_input.links.data();
    channel->delay = Ps(link.delayPs);
    NetDeviceContainer pair;
    for (const Ptr<Node>& node : {a, b})
    {
        Ptr<PointToPointNetDevice> device = CreateObject<PointToPointNetDevice>();
        device->SetDataRate(DataRate(link.bps));
        device->SetAddress(Mac48Address::Allocate());
        device->SetQueue(CreateObject<DropTailQueue<Packet>>());
        node->AddDevice(device);
        device->Attach(channel);
        pair.Add(device);
    }
    return pair;
}

void
Build(Network& net, bool isTraced)
{
    const bool marks = g_input.Word("transport") == "dctcp";
    const bool hasDisc = marks && !Mends("queue");
    for (const Link& link : g_input.links)
    {
        PointToPointHelper helper;
        // With flow control a device stops, with no disc above it, a whole MTU before it is full.
        if (!hasDisc)
        {
            helper.DisableFlowControl();
        }
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(link.bps)));
        helper.SetChannelAttribute("Delay", TimeValue(Ps(link.delayPs)));
        NetDeviceContainer pair = Mends("ties")
                                      ? Join(link, net.At(link.a), net.At(link.b))
                                      : helper.Install(net.At(link.a), net.At(link.b));
        for (int end = 0; end < 2; end++)
        {
            const std::string& from = end ? link.b : link.a;
            const std::string& to = end ? link.a : link.b;
            Ptr<PointToPointNetDevice> device = DynamicCast<PointToPointNetDevice>(pair.Get(end));
            const QueueSize size =
                IsHost(from) ? QueueSize(PACKETS, 1u << 30)
                : hasDisc    ? QueueSize(PACKETS, 1)
                             : QueueSize(BYTES, g_input.Number("queue") - PacketBytes());
            device->GetQueue()->SetMaxSize(size);
            if (Mends("queue") && !IsHost(from))
            {
                Ptr<WholeQueue> queue = CreateObject<WholeQueue>();
                queue->SetMaxSize(QueueSize(PACKETS, 1u << 30));
                queue->limit = g_input.Number("queue");
                queue->mark = marks ? g_input.Number("mark") : 0;
                queue->rate = DataRate(link.bps);
                device->SetQueue(queue);
                net.queues.push_back(queue);
            }
            Ptr<Ipv4> ip = device->GetNode()->GetObject<Ipv4>();
            const uint32_t i = ip->AddInterface(device);
            // Each end of a link needs some address, or IP does not use the interface.
            const uint32_t own = 0xc0000000u + device->GetNode()->GetId() * 1024 + i;
            ip->AddAddress(i, Ipv4InterfaceAddress(Ipv4Address(own), Ipv4Mask("255.255.255.255")));
            ip->SetUp(i);
            net.interfaces[from + " " + to] = i;
            if (hasDisc && !IsHost(from))
            {
                AddDisc(net, device);
            }
            device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&OnHop));
            device->TraceConnectWithoutContext("MacTxDrop", MakeCallback(&OnDrop));
            if (IsHost(from) && Mends("samples"))
            {
                device->TraceConnectWithoutContext(
                    "PhyTxBegin",
                    MakeBoundCallback(&OnLeaving, DataRate(link.bps)));
            }
            if (isTraced)
            {
                device->TraceConnect("PhyRxEnd", to + "->" + from, MakeCallback(&OnArrival));
            }
        }
    }
}

// Both are in one network of four addresses, by which IP finds the source's for the target's.
Ipv4Address
AddressOf(uint32_t flow, bool isTarget)
{
    return Ipv4Address(0x0a000000u + flow * 4 + (isTarget ? 2 : 1));
}

void
Route(Network& net, const std::vector<std::string>& path, Ipv4Address target)
{
    Ipv4StaticRoutingHelper helper;
    for (size_t hop = 0; hop + 1 < path.size(); hop++)
    {
        Ptr<Ipv4> ip = net.At(path[hop])->GetObject<Ipv4>();
        const uint32_t i = net.interfaces.at(path[hop] + " " + path[hop + 1]);
        helper.GetStaticRouting(ip)->AddHostRouteTo(target, i);
    }
}

void
AddAddress(Network& net, const std::string& host, const std::string& towards, Ipv4Address address)
{
    const uint32_t i = net.interfaces.at(host + " " + towards);
    net.At(host)->GetObject<Ipv4>()->AddAddress(
        i,
        Ipv4InterfaceAddress(address, Ipv4Mask("255.255.255.252")));
}

// ---- Flows ----------------------------------------------------------------------------------

int64_t
SinceStart(const Flow& flow)
{
    return (Simulator::Now() - g_origin).GetPicoSeconds() - flow.startPs;
}

void
StopIfDone()
{
    for (const Flow& flow : g_input.flows)
    {
        if (flow.ackedPs < 0)
        {
            return;
        }
    }
    Simulator::Stop();
}

void
OnReceived(Flow* flow, Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        flow->delivered += packet->GetSize();
    }
    if (flow->delivered == flow->bytes)
    {
        flow->deliveredPs = SinceStart(*flow);
    }
}

int64_t
ShortestDelayPs()
{
    int64_t ps = g_input.links.front().delayPs;
    for (const Link& link : g_input.links)
    {
        ps = std::min(ps, link.delayPs);
    }
    return ps;
}

void
OnAcked(Flow* flow, SequenceNumber32, SequenceNumber32 acked)
{
    // The handshake's SYN has number 0.
    if (acked.GetValue() == uint32_t(flow->bytes + 1))
    {
        flow->ackedPs = SinceStart(*flow);
        Ptr<RfcSocket> receiver = DynamicCast<RfcSocket>(flow->receiver);
        if (receiver && Mends("ended"))
        {
            // Weir hears of ends at multiples of the shortest delay.
            const int64_t now = (Simulator::Now() - g_origin).GetPicoSeconds();
            const int64_t shortest = ShortestDelayPs();
            Simulator::Schedule(Ps(shortest - now % shortest), &RfcSocket::Deafen, receiver);
        }
        StopIfDone();
    }
}

void
OnSent(Flow* flow, Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>)
{
    if (packet->GetSize() > 0)
    {
        flow->packets++;
        flow->wireBytes += packet->GetSize();
    }
}

void
OnAccepted(Flow* flow, Ptr<Socket> socket, const Address&)
{
    socket->SetRecvCallback(MakeBoundCallback(&OnReceived, flow));
    flow->receiver = socket;
}

void
GiveAll(Flow* flow)
{
    flow->sender->Send(Create<Packet>(flow->bytes));
}

void
Connect(Flow* flow, Ipv4Address source, Ipv4Address target)
{
    Ptr<Socket> socket = flow->sender;
    socket->Bind(InetSocketAddress(source, PORT));
    socket->Connect(InetSocketAddress(target, PORT));
}

// UDP at the rate of the host's link.
void
SendDatagram(Flow* flow, DataRate rate)
{
    const uint64_t bytes = std::min<uint64_t>(flow->bytes - flow->handed, g_input.Number("mss"));
    if (bytes == 0)
    {
        return;
    }
    flow->handed += bytes;
    flow->packets++;
    flow->sender->Send(Create<Packet>(bytes));
    const uint32_t wire = bytes + PacketBytes() - g_input.Number("mss");
    Simulator::Schedule(rate.CalculateBytesTxTime(wire), &SendDatagram, flow, rate);
}

// A full packet there and its ACK back, with nothing else on the network.
int64_t
EmptyRoundTripPs(const std::vector<std::string>& path)
{
    int64_t ps = 0;
    for (size_t hop = 0; hop + 1 < path.size(); hop++)
    {
        for (const Link& link : g_input.links)
        {
            if ((link.a == path[hop] && link.b == path[hop + 1]) ||
                (link.b == path[hop] && link.a == path[hop + 1]))
            {
                const DataRate rate(link.bps);
                ps += rate.CalculateBytesTxTime(PacketBytes()).GetPicoSeconds() + link.delayPs;
                ps += rate.CalculateBytesTxTime(ACK_BYTES).GetPicoSeconds() + link.delayPs;
            }
        }
    }
    return ps;
}

uint64_t
HostRate(const std::string& host)
{
    for (const Link& link : g_input.links)
    {
        if (link.a == host || link.b == host)
        {
            return link.bps;
        }
    }
    return 0;
}

// As TcpL4Protocol::CreateSocket does, with a socket of ours if ns-3's is to be mended.
Ptr<Socket>
NewSocket(Ptr<Node> node, TypeId factory)
{
    if (g_input.Word("transport") == "udp" || !HasMends())
    {
        return Socket::CreateSocket(node, factory);
    }
    Ptr<TcpL4Protocol> tcp = node->GetObject<TcpL4Protocol>();
    Ptr<RfcSocket> socket = CreateObject<RfcSocket>();
    Ptr<TcpCongestionOps> control;
    if (g_input.Word("transport") == "dctcp")
    {
        control = CreateObject<RfcDctcp>();
    }
    else
    {
        control = CreateObject<RfcReno>();
    }
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(CreateObject<RttMeanDeviation>());
    socket->SetCongestionControlAlgorithm(control);
    socket->SetRecoveryAlgorithm(CreateObject<TcpClassicRecovery>());
    tcp->AddSocket(socket);
    return socket;
}

void
AddFlow(Network& net, uint32_t number)
{
    Flow& flow = g_input.flows[number];
    const Ipv4Address source = AddressOf(number, false);
    const Ipv4Address target = AddressOf(number, true);
    const std::vector<std::string> back(flow.path.rbegin(), flow.path.rend());
    AddAddress(net, flow.path.front(), flow.path[1], source);
    AddAddress(net, back.front(), back[1], target);
    Route(net, flow.path, target);
    Route(net, back, source);

    const bool isUdp = g_input.Word("transport") == "udp";
    const TypeId factory = isUdp ? UdpSocketFactory::GetTypeId() : TcpSocketFactory::GetTypeId();
    Ptr<Socket> sink = NewSocket(net.At(back.front()), factory);
    sink->Bind(InetSocketAddress(target, PORT));
    flow.sender = NewSocket(net.At(flow.path.front()), factory);
    const Time start = g_origin + Ps(flow.startPs);
    if (isUdp)
    {
        sink->SetRecvCallback(MakeBoundCallback(&OnReceived, &flow));
        Connect(&flow, source, target);
        const DataRate rate(HostRate(flow.path.front()));
        Simulator::Schedule(start, &SendDatagram, &flow, rate);
        return;
    }
    if (Ptr<RfcSocket> socket = DynamicCast<RfcSocket>(flow.sender))
    {
        socket->SetFirstRoundTrip(EmptyRoundTripPs(flow.path));
    }
    sink->Listen();
    sink->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                            MakeBoundCallback(&OnAccepted, &flow));
    flow.sender->TraceConnectWithoutContext("HighestRxAck", MakeBoundCallback(&OnAcked, &flow));
    flow.sender->TraceConnectWithoutContext("Tx", MakeBoundCallback(&OnSent, &flow));
    Simulator::Schedule(MilliSeconds(number), &Connect, &flow, source, target);
    // A socket waits one step of the clock for more data before it sends.
    Simulator::Schedule(start - TimeStep(1), &GiveAll, &flow);
}

void
SetTcp()
{
    const std::string transport = g_input.Word("transport");
    const std::string control = transport == "dctcp" ? "ns3::TcpDctcp" : "ns3::TcpNewReno";
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue(control));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpClassicRecovery"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(g_input.Number("mss")));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(g_input.Number("window")));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1u << 30));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1u << 30));
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(1000));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(g_input.Number("sack") == 1));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Ps(g_input.Number("rtoMin"))));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(Time(0)));
}

void
Print(const Network& net, double seconds)
{
    uint64_t marks = 0;
    for (const Ptr<QueueDisc>& disc : net.discs)
    {
        marks += disc->GetStats().nTotalMarkedPackets;
        g_drops += disc->GetStats().nTotalDroppedPackets;
    }
    for (const Ptr<WholeQueue>& queue : net.queues)
    {
        marks += queue->marks;
    }
    const uint64_t mss = g_input.Number("mss");
    for (size_t i = 0; i < g_input.flows.size(); i++)
    {
        const Flow& flow = g_input.flows[i];
        const bool isUdp = g_input.Word("transport") == "udp";
        const uint64_t needed = (flow.bytes + mss - 1) / mss;
        std::printf("flow %zu fctPs %ld delivered %lu again %lu\n",
                    i,
                    isUdp ? flow.deliveredPs : flow.ackedPs,
                    flow.delivered,
                    flow.packets - (isUdp ? flow.packets : needed));
    }
    std::printf("drops %lu\nmarks %lu\nhops %lu\nevents %lu\nseconds %.6f\n",
                g_drops, marks, g_hops, Simulator::GetEventCount(), seconds);
}

} // namespace

int
main(int count, char** words)
{
    if (count < 2)
    {
        std::cerr << "ns3-peer <input> [trace]" << std::endl;
        return 2;
    }
    Time::SetResolution(Time::PS);
    g_input = Read(words[1]);
    SetMends(g_input.Word("mended"));
    g_origin = Seconds(1) + MilliSeconds(g_input.flows.size());
    SetTcp();
    Network net;
    Build(net, count > 2);
    for (uint32_t i = 0; i < g_input.flows.size(); i++)
    {
        AddFlow(net, i);
    }
    Simulator::Schedule(g_origin - Ps(2), [] { g_isOn = true; });
    Simulator::Stop(g_origin + Ps(g_input.Number("until")));
    const std::clock_t began = std::clock();
    Simulator::Run();
    Print(net, double(std::clock() - began) / CLOCKS_PER_SEC);
    Simulator::Destroy();
    return 0;
}
